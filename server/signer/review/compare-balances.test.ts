import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { claimEntries } from '#game/credit.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { openDb, type Queryable } from '#server/platform/db/db.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { interceptStatements } from '#tests/support/intercept-statements.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { balancesAgree } from './compare-balances.ts'

const run = (on: Queryable, text: string, wallet?: string): Promise<unknown[]> =>
  runQuery(on, text, wallet === undefined ? [] : [wallet])

/** A wallet with this many entries of earned credit. */
async function walletWith({ db, clock, player }: TestWorld, entries: number): Promise<string> {
  const { wallet } = await player({ deposited: 3 })
  await post({ db, clock }, wallet, entries)
  return wallet
}

const post = ({ db, clock }: Pick<TestWorld, 'db' | 'clock'>, wallet: string, count: number): Promise<void> =>
  db.transaction(async (tx) => {
    const ledger = await openLedger(tx, [wallet])
    const journal = { wallet, at: clock.now(), kind: 'adjustment' as const, detail: { reason: 'test' } }
    for (let left = count; left > 0; left--)
      ledger.post({ ...journal, entries: claimEntries(wallet, cotton(1)) })
    ledger.write()
  })

const checkedOf = (on: Queryable, wallet: string) =>
  run(on, 'select class, version, total from checked_balances where wallet = $1 order by class', wallet)

/** Less than the entries of each wallet here, so that a check from the start needs several steps. */
const ENTRIES_PER_STEP = 400

/** Whether the balances agree after these statements, which nothing refuses and which are undone. */
async function agreeAfter(
  { db }: TestWorld,
  wallet: string,
  ...statements: readonly string[]
): Promise<boolean> {
  const undo = new Error('undo')
  let agree: boolean | undefined
  const trying = db.transaction(async (tx) => {
    await run(tx, 'set local session_replication_role = replica')
    for (const statement of statements) await run(tx, statement, wallet)
    agree = await balancesAgree(tx, wallet, ENTRIES_PER_STEP)
    throw undo
  })
  await expect(trying).rejects.toBe(undo)
  return agree!
}

test('a check remembers how far it came, and the next one reads what is newer', async ({ world }) => {
  const wallet = await walletWith(world, 1_000)
  const signer = openDb(world.urlFor('signer'), { max: 1, applicationName: 'test-signer' })
  expect(await balancesAgree(signer, wallet)).toBe(true)
  expect(await checkedOf(world.db, wallet)).toEqual([
    { class: 'earned', version: 1_000n, total: cotton(1_000) },
  ])

  const changeOld =
    "update entries set amount = amount + 1 where wallet = $1 and account = 'earned' and version = 7"
  expect(await agreeAfter(world, wallet, changeOld)).toBe(true)
  expect(await agreeAfter(world, wallet, changeOld, 'delete from checked_balances where wallet = $1')).toBe(
    false,
  )

  await post(world, wallet, 999)
  expect(await balancesAgree(signer, wallet)).toBe(true)
  expect(await checkedOf(world.db, wallet)).toMatchObject([{ version: 1_000n }])
  await post(world, wallet, 1)
  expect(await balancesAgree(signer, wallet)).toBe(true)
  expect(await checkedOf(world.db, wallet)).toMatchObject([{ version: 2_000n, total: cotton(2_000) }])
  await signer.end()
})

test.for([
  [
    'a balance without entries',
    `update accounts set balance = balance + 1 where wallet = $1 and class = 'earned'`,
  ],
  [
    'deposited credit without entries',
    `update accounts set balance = balance + 1 where wallet = $1 and class = 'deposited'`,
  ],
  [
    'a version ahead of the entries',
    `update accounts set version = version + 1 where wallet = $1 and class = 'earned'`,
  ],
  [
    'an older balance',
    `update accounts set balance = 999000000, version = 999 where wallet = $1 and class = 'earned'`,
  ],
  ['a lost entry', `delete from entries where wallet = $1 and account = 'earned' and version = 1003`],
  ['a lost newest entry', `delete from entries where wallet = $1 and account = 'earned' and version = 1005`],
  [
    'a changed entry',
    `update entries set amount = amount + 1 where wallet = $1 and account = 'earned' and version = 1003`,
  ],
] as const)('after such a check it notices %s', async ([, forge], { world }) => {
  const wallet = await walletWith(world, 1_000)
  expect(await balancesAgree(world.db, wallet)).toBe(true)
  await post(world, wallet, 5)
  expect(await agreeAfter(world, wallet)).toBe(true)
  expect(await agreeAfter(world, wallet, forge)).toBe(false)
  expect(await agreeAfter(world, wallet, 'delete from checked_balances where wallet = $1', forge)).toBe(false)
})

test('nothing is remembered of balances that differ', async ({ world }) => {
  const wallet = await walletWith(world, 1_000)
  await run(
    world.db,
    `update accounts set balance = balance + 1 where wallet = $1 and class = 'earned'`,
    wallet,
  )
  expect(await balancesAgree(world.db, wallet)).toBe(false)
  expect(await checkedOf(world.db, wallet)).toEqual([])
  await run(
    world.db,
    `update accounts set balance = balance - 1 where wallet = $1 and class = 'earned'`,
    wallet,
  )
})

test('a long history is compared in steps, and a check that is interrupted goes on where it was', async ({
  world,
}) => {
  const wallet = await walletWith(world, 1_000)
  const read: bigint[] = []
  const interrupted = new Error('interrupted')
  const stepping = interceptStatements(world.db, async ({ name }, run) => {
    const rows = await run()
    if (name !== 'signer-compare-balances') return rows
    for (const row of rows as { class: string; added: bigint }[])
      if (row.class === 'earned') read.push(row.added)
    if (read.length === 2) throw interrupted
    return rows
  })
  await expect(balancesAgree(stepping, wallet, ENTRIES_PER_STEP)).rejects.toBe(interrupted)
  expect(await checkedOf(world.db, wallet)).toEqual([{ class: 'earned', version: 400n, total: cotton(400) }])
  expect(await balancesAgree(stepping, wallet, ENTRIES_PER_STEP)).toBe(true)
  expect(read).toEqual([400n, 400n, 400n, 200n])
  expect(await checkedOf(world.db, wallet)).toEqual([{ class: 'earned', version: 800n, total: cotton(800) }])
})
