import { expect } from 'vitest'
import { cotton, ZERO } from '#game/cotton.ts'
import {
  depositEntries,
  holdEntries,
  NO_CREDIT,
  primarySaleEntries,
  resaleEntries,
  claimEntries,
  splitPayment,
  sellerReceives,
} from '#game/credit.ts'
import { openDb, sql, type Tx } from '#server/platform/db/db.ts'
import { readBalance } from './read-balance.ts'
import { readWorldBalances } from './read-world-balances.ts'
import { openLedger, type Journal } from './ledger.ts'
import { verifyLedger } from './verify-ledger.ts'
import { countDbStatements } from '#tests/support/count-statements.ts'
import { rawSql } from '#tests/support/raw-sql.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'

const post = (
  world: TestWorld,
  wallets: string[],
  ...journals: Omit<Journal, 'at' | 'detail'>[]
): Promise<void> =>
  world.db.transaction(async (tx) => {
    const ledger = await openLedger(tx, wallets)
    for (const journal of journals) ledger.post({ ...journal, at: world.clock.now(), detail: {} })
    ledger.write()
  })

test('the worked example of the design gives the exact balances (A-19)', async ({ world }) => {
  const before = await readWorldBalances(world.db)
  const [alice, bob] = [
    (await world.player()).wallet,
    (await world.player({ earned: 60_000, deposited: 100_000 })).wallet,
  ]
  const buy = (wallet: string, price: number) =>
    world.db.transaction(async (tx) => {
      const ledger = await openLedger(tx, [wallet])
      const paid = splitPayment(ledger.balances(wallet), cotton(price))!
      ledger.post({
        wallet,
        kind: 'hire',
        at: world.clock.now(),
        detail: {},
        entries: primarySaleEntries(wallet, paid),
      })
      ledger.write()
      return paid
    })
  await post(world, [alice], {
    wallet: alice,
    kind: 'deposit',
    entries: depositEntries(alice, cotton(700_000)),
  })
  await buy(alice, 500_000)
  expect((await readWorldBalances(world.db)).pool - before.pool).toBe(cotton(500_000))
  await post(world, [alice], { wallet: alice, kind: 'claim', entries: claimEntries(alice, cotton(100_000)) })
  expect(await buy(alice, 100_000)).toEqual({ earned: cotton(100_000), deposited: ZERO })
  expect(await world.credit({ wallet: alice, sign: Buffer.from })).toEqual({
    deposited: cotton(200_000),
    earned: ZERO,
  })

  await world.db.transaction(async (tx) => {
    const ledger = await openLedger(tx, [alice, bob])
    const paid = splitPayment(ledger.balances(bob), cotton(120_000))!
    ledger.post({
      wallet: bob,
      kind: 'resale',
      at: world.clock.now(),
      detail: {},
      entries: resaleEntries({ buyer: bob, seller: alice }, paid),
    })
    ledger.write()
  })
  expect(await world.credit({ wallet: alice, sign: Buffer.from })).toEqual({
    deposited: cotton(254_000),
    earned: cotton(54_000),
  })
  expect(await world.credit({ wallet: bob, sign: Buffer.from })).toEqual({
    deposited: cotton(40_000),
    earned: ZERO,
  })
  expect((await readWorldBalances(world.db)).pool - before.pool).toBe(cotton(506_000))
})

test('an overdraft writes nothing', async ({ world }) => {
  const player = await world.player({ deposited: 10 })
  const greedy = primarySaleEntries(player.wallet, { deposited: cotton(11), earned: ZERO })
  await expect(
    post(world, [player.wallet], { wallet: player.wallet, kind: 'hire', entries: greedy }),
  ).rejects.toThrow(/is not negative/)
  expect(await world.balance(player)).toBe(cotton(10))
})

test('entries that do not sum to zero, and a single entry, are no journal', async ({ world }) => {
  const { wallet } = await world.player()
  const [out, into] = depositEntries(wallet, cotton(1))
  const wrong = [[], [{ ...into!, amount: ZERO }], [out!, { ...into!, amount: cotton(2) }]]
  await world.db.transaction(async (tx) => {
    const ledger = await openLedger(tx, [wallet])
    expect(() => ledger.balances('SomebodyElse')).toThrow(/SomebodyElse is locked/)
    for (const entries of wrong) {
      const journal = { wallet, kind: 'deposit' as const, at: world.clock.now(), detail: {}, entries }
      expect(() => ledger.post(journal)).toThrow(/journal/)
    }
    ledger.write()
  })
  expect(await world.balance({ wallet, sign: Buffer.from })).toBe(ZERO)
})

test('a journal writes the accounts that it changes and no others', async ({ world }) => {
  const { wallet } = await world.player({ deposited: 5, earned: 5 })
  const versions = async () => {
    const text = 'select class::text, xmin::text from accounts where wallet = $1 order by class'
    const rows = await world.db.rows(
      rawSql<{ class: string; xmin: string }>({ name: 'test-xmin', text }, [wallet]),
    )
    return new Map(rows.map((row) => [row.class, row.xmin]))
  }
  const before = await versions()
  await post(world, [wallet], { wallet, kind: 'claim', entries: claimEntries(wallet, cotton(1)) })
  const after = await versions()
  expect(after.get('deposited')).toBe(before.get('deposited'))
  expect(after.get('earned')).not.toBe(before.get('earned'))
})

test('what has been written is not written again', async ({ world }) => {
  const { wallet } = await world.player()
  const log = { names: [] as string[], roundTrips: 0 }
  await countDbStatements(world.db, log).transaction(async (tx) => {
    const ledger = await openLedger(tx, [wallet])
    ledger.write()
    const entries = depositEntries(wallet, cotton(1))
    ledger.post({ wallet, kind: 'deposit', at: world.clock.now(), detail: {}, entries })
    ledger.write()
    ledger.write()
  })
  expect(log.names.filter((name) => name === 'ledger-write-journals')).toHaveLength(1)
})

test('the tokens of the world are what was deposited, and what is held is part of them', async ({
  world,
}) => {
  const before = await readWorldBalances(world.db)
  const { wallet } = await world.player()
  const taken = { deposited: cotton(3), earned: ZERO }
  await post(
    world,
    [wallet],
    { wallet, kind: 'deposit', entries: depositEntries(wallet, cotton(10)) },
    { wallet, kind: 'withdrawal', entries: holdEntries(wallet, taken) },
  )
  expect(await readBalance(world.db, wallet)).toEqual({ deposited: cotton(7), earned: ZERO })
  const after = await readWorldBalances(world.db)
  expect(after.treasury - before.treasury).toBe(cotton(10))
  expect(after.held - before.held).toBe(cotton(3))
  expect(await readBalance(world.db, 'NobodyKnowsThisWallet')).toEqual(NO_CREDIT)
})

test('fifty concurrent journals of one wallet leave fifty gapless versions', async ({ world }) => {
  const player = await world.player()
  const deposit = {
    wallet: player.wallet,
    kind: 'deposit' as const,
    entries: depositEntries(player.wallet, cotton(1)),
  }
  await Promise.all(Array.from({ length: 50 }, () => post(world, [player.wallet], deposit)))
  expect(await world.balance(player)).toBe(cotton(50))
})

test('concurrent transactions over the same wallets in any order never deadlock', async ({ world }) => {
  const [a, b] = [await world.player({ deposited: 1_000 }), await world.player({ deposited: 1_000 })]
  // The database repeats a transaction that Postgres has ended because of a deadlock.
  let tries = 0
  const pay = (buyer: string, seller: string) =>
    world.db.transaction(async (tx) => {
      tries += 1
      const ledger = await openLedger(tx, [buyer, seller])
      ledger.post({
        wallet: buyer,
        kind: 'resale',
        at: world.clock.now(),
        detail: {},
        entries: resaleEntries({ buyer, seller }, { deposited: cotton(10), earned: ZERO }),
      })
      ledger.write()
    })
  await Promise.all(
    Array.from({ length: 60 }, (_, turn) => (turn % 2 ? pay(a.wallet, b.wallet) : pay(b.wallet, a.wallet))),
  )
  const both = (await world.balance(a)) + (await world.balance(b))
  const fee = cotton(10) - sellerReceives(cotton(10))
  expect(both).toBe(cotton(2_000) - 60n * fee)
  expect(tries).toBe(60)
})

test('the database itself refuses entries that do not sum to zero', async ({ world }) => {
  const lonely = sql({
    name: 'test-lonely-entry',
    params: { wallet: 'text' },
    text: ({ wallet }) =>
      `insert into entries (wallet, journal_id, line, account, amount) values (${wallet}, gen_random_uuid(), 0, 'pool', 5)`,
  })
  await expect(world.db.rows(lonely, { wallet: 'nobody' })).rejects.toThrow(/sum to zero/)
})

// Each statement writes two journals whose violations cancel out, so that only a check of each journal alone finds them.
const HIDDEN: [said: string, entries: string][] = [
  ['sum to zero', `(0, 'pool', 5), (0, 'deposited', -4), (1, 'pool', 4), (1, 'deposited', -5)`],
  [
    'played credit into tokens',
    `(0, 'earned', 5), (0, 'deposited', -5), (1, 'earned', -5), (1, 'deposited', 5)`,
  ],
  ['may not make such a move', `(0, 'burned', 5), (0, 'earned', -5), (1, 'burned', -5), (1, 'earned', 5)`],
  ['may not make such a move', `(0, 'pool', 5), (0, 'held', -5), (1, 'pool', -5), (1, 'held', 5)`],
  ['may not make such a move', `(0, 'pool', -5), (0, 'deposited', 5), (1, 'pool', 5), (1, 'deposited', -5)`],
  [
    'may not make such a move',
    `(0, 'treasury', 5), (0, 'deposited', -5), (1, 'treasury', -5), (1, 'deposited', 5)`,
  ],
]

for (const [said, lines] of HIDDEN) {
  test(`no login of a server for players can write ${lines}`, async ({ world }) => {
    const db = openDb(world.urlFor('api'), { max: 1, applicationName: 'test' })
    const write = sql({
      name: `test-${lines}`.slice(0, 60),
      params: { wallet: 'text' },
      text: ({ wallet }) =>
        `insert into entries (wallet, journal_id, line, account, amount, balance_after, version)
         select ${wallet}, ('00000000-0000-0000-0000-00000000000' || journal)::uuid, row_number() over (), account::ledger_account, amount,
           case when account in ('deposited', 'earned') then 0 end,
           case when account in ('deposited', 'earned') then row_number() over () end
         from (values ${lines}) as v (journal, account, amount)`,
    })
    await expect(db.rows(write, { wallet: 'HiddenWallet' })).rejects.toThrow(said)
    await db.end()
  })
}

test('nobody can change or delete history, neither the api nor the owner', async ({ world }) => {
  const player = await world.player({ deposited: 5 })
  const change = sql({
    name: 'test-change-entry',
    params: { wallet: 'text' },
    text: ({ wallet }) => `update entries set amount = amount where wallet = ${wallet}`,
  })
  const erase = sql({
    name: 'test-erase-entry',
    params: { wallet: 'text' },
    text: ({ wallet }) => `delete from entries where wallet = ${wallet}`,
  })
  for (const statement of [change, erase]) {
    await expect(world.db.rows(statement, { wallet: player.wallet })).rejects.toThrow(/append-only/)
  }
  for (const role of ['api', 'watcher', 'signer', 'console', 'readonly'] as const) {
    const db = openDb(world.urlFor(role), { max: 1, applicationName: 'test' })
    for (const statement of [change, erase]) {
      await expect(db.rows(statement, { wallet: player.wallet })).rejects.toThrow(
        /permission denied|read-only/,
      )
    }
    await db.end()
  }
})

// The verifier must find every violation. The owner makes each one with the triggers disabled, and rolls it back.
const BREAKS: [law: string, statement: string][] = [
  ['sum to zero', `update entries set amount = amount + 1 where account = 'treasury' and wallet = $1`],
  ['a balance is the sum', 'update accounts set balance = balance + 1 where wallet = $1'],
  ['a balance is the sum', 'update accounts set version = version + 1 where wallet = $1'],
  [
    'continues from the balance',
    `update entries set balance_after = balance_after + 1 where version = 2 and wallet = $1`,
  ],
  ['every journal has entries', 'delete from entries where wallet = $1'],
  ['belongs to an account', 'delete from accounts where wallet = $1'],
]

for (const [law, statement] of BREAKS) {
  test(`the verifier finds a violation of "${law}" by: ${statement.slice(0, 50)}`, async ({ world }) => {
    const { wallet } = await world.player({ deposited: 5 })
    await post(world, [wallet], { wallet, kind: 'deposit', entries: depositEntries(wallet, cotton(1)) })
    class RolledBack extends Error {}
    const findings = await world.db
      .transaction(async (tx: Tx) => {
        await tx.rows(sql({ name: 'test-guards-off', text: 'alter table entries disable trigger user' }))
        await tx.rows(rawSql({ name: `test-${statement}`.slice(0, 60), text: statement }, [wallet]))
        throw Object.assign(new RolledBack(), { findings: await verifyLedger(tx) })
      })
      .catch((error: unknown) => (error as { findings: Awaited<ReturnType<typeof verifyLedger>> }).findings)
    expect(findings.map((finding) => finding.law)).toContainEqual(expect.stringContaining(law))
  })
}
