import { beforeAll, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { Signer } from '#server/signer/signer.ts'
import { createPlayerWith } from '#tests/support/chain-test-players.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { interceptStatements } from '#tests/support/intercept-statements.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { takeSnapshot } from './take-snapshot.ts'

const world = setUpChainTestWorld()
let signer: Signer

beforeAll(async () => {
  signer = await world.newSigner()
})

const totalsOf = (account: string) =>
  runQuery<{ credited: string; unclaimed: string; swept: string }>(
    world.owner,
    `select credited::text, unclaimed::text, swept::text from token_account_totals where token_account = $1`,
    [account],
  )

const ADD_SWEEP = `insert into sweeps (id, token_account, amount, signature, wire, last_valid_height, state, at)
  values (gen_random_uuid(), $1, $2, gen_random_uuid(), '', 0, $3, $4)`

const ADD_RECEIPT = `insert into receipts (signature, token_account, wallet, asset, amount, slot, state, why, seen_at)
  values ($1, $2, 'a wallet', 'cotton', $3, 1, $4, $5, now())`

const addSweep = (account: string, amount: number, state: string, at = world.clock.now()) =>
  runQuery(world.owner, ADD_SWEEP, [account, cotton(amount), state, at])

test('totals are the sums of sweeps and receipts, in whatever order these are inserted, changed and deleted', async () => {
  // An old sweep that is recorded before its deposit.
  await addSweep('account', 30, 'finalized', new Date('2025-01-01'))
  await addSweep('account', 5, 'signed')
  await addSweep('account', 7, 'failed')
  expect(await totalsOf('account')).toEqual([{ credited: '0', unclaimed: '0', swept: '30000000' }])
  await runQuery(world.owner, ADD_RECEIPT, ['one', 'account', cotton(30), 'pending', null])
  expect(await totalsOf('account')).toMatchObject([{ credited: '0', swept: '30000000' }])
  await runQuery(
    world.owner,
    `update receipts set state = 'credited', journal_id = gen_random_uuid() where signature = 'one'`,
  )
  await runQuery(world.owner, ADD_RECEIPT, ['two', 'account', cotton(4), 'unclaimed', 'before_yours'])
  await runQuery(
    world.owner,
    `update sweeps set state = 'finalized' where token_account = 'account' and state = 'signed'`,
  )
  expect(await totalsOf('account')).toEqual([
    { credited: '30000000', unclaimed: '4000000', swept: '35000000' },
  ])
  expect(await world.audit()).toEqual([])
  await runQuery(world.owner, `delete from receipts where token_account = 'account'`)
  await runQuery(world.owner, `delete from sweeps where token_account = 'account'`)
  expect(await totalsOf('account')).toEqual([{ credited: '0', unclaimed: '0', swept: '0' }])
})

test('twenty concurrent moves leave totals that are the sums of all of them', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, at) => createPlayerWith(world, { deposited: 10 + at })))
  expect(await world.audit()).toEqual([])
})

test('api and watcher cannot change totals, reuse their trigger function, or store an amount of NaN', async () => {
  for (const db of [world.api, world.watcher]) {
    for (const change of [
      'update token_account_totals set credited = 0',
      `insert into credit_totals (shard, deposited) values (-1, -5)`,
      'delete from credit_totals',
    ]) {
      await expect(runQuery(db, change)).rejects.toThrow('permission denied')
    }
    await expect(
      db.transaction(async (tx) => {
        await runQuery(
          tx,
          `create temp table borrowed (token_account text, asset text, amount numeric, state text)`,
        )
        await runQuery(
          tx,
          'create trigger borrowed after insert on borrowed for each row execute function total_receipts()',
        )
      }),
    ).rejects.toThrow('permission denied for function total_receipts')
    await expect(runQuery(db, ADD_RECEIPT, ['nan', 'account', 'NaN', 'pending', null])).rejects.toThrow(
      'receipts_amount_check',
    )
  }
})

test('a balance that a stolen login writes past the ledger shows in the next snapshot', async () => {
  const player = await createPlayerWith(world, { deposited: 10 })
  const at = { treasury: signer.treasury.address, cold: [], notBefore: 0n, now: world.clock.now() }
  const snapshot = () => takeSnapshot({ db: world.watcher, chain: world.chain }, at)
  const { surplus } = await snapshot()
  const move = `update accounts set balance = balance + $2 where wallet = $1 and class = 'deposited'`
  await runQuery(world.api, move, [player.address, 5n])
  expect((await snapshot()).surplus).toBe(surplus - 5n)
  await runQuery(world.api, move, [player.address, -5n])
  expect((await snapshot()).surplus).toBe(surplus)
})

const CLOSED_ACCOUNTS = `with receipt as (
    insert into receipts (signature, token_account, wallet, asset, amount, slot, state, seen_at, credited_at, journal_id)
    select 'of ' || n, 'closed ' || n, 'w ' || n, 'cotton', 5, 1, 'credited', $2, $2, gen_random_uuid()
    from generate_series(1, $1::int) n
  )
  insert into sweeps (id, token_account, amount, signature, wire, last_valid_height, state, at)
  select gen_random_uuid(), 'closed ' || n, 5, 'sweep ' || n, '', 0, 'finalized', $2 from generate_series(1, $1::int) n`

test('ten thousand closed accounts do not increase the pages that a snapshot reads', async () => {
  const pages = async (): Promise<number> => {
    await runQuery(world.owner, 'vacuum analyze')
    let blocks = 0
    await takeSnapshot(
      {
        db: interceptStatements(world.owner, async ({ text, values }, run) => {
          const explain = `explain (analyze, buffers, format json) ${text}`
          type Plan = { 'QUERY PLAN': [{ Plan: Record<string, number> }] }
          const [row] = await runQuery<Plan>(world.owner, explain, values)
          const { Plan } = row!['QUERY PLAN'][0]
          blocks += Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!
          return run()
        }),
        chain: world.chain,
      },
      { treasury: signer.treasury.address, cold: [], notBefore: 0n, now: world.clock.now() },
    )
    return blocks
  }
  const before = await pages()
  await runQuery(world.owner, CLOSED_ACCOUNTS, [10_000, new Date('2025-01-01')])
  expect(await pages()).toBeLessThan(before + 200)
  await runQuery(world.owner, `delete from receipts where token_account like 'closed %'`)
  await runQuery(world.owner, `delete from sweeps where token_account like 'closed %'`)
})
