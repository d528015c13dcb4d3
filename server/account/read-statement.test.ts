import fc from 'fast-check'
import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import {
  claimEntries,
  depositEntries,
  type Entry,
  holdEntries,
  primarySaleEntries,
  refundEntries,
  resaleEntries,
  type JournalKind,
} from '#game/credit.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { encodeRecords } from '#server/platform/http/csv-download.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { exportHistory } from './export-history.ts'
import type { HistoryFilter } from './read-history.ts'
import { monthStart, readStatement } from './read-statement.ts'

const MONTHS = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05']

type Move = { kind: JournalKind; size: number; at: number }

const split = (size: number) => ({ deposited: cotton(size), earned: cotton(size + 1) })

/** What a move of each kind posts. The first wallet is its player, the second sells land to it. */
const ENTRIES: Partial<Record<JournalKind, (of: [string, string], size: number) => Entry[]>> = {
  deposit: ([wallet], size) => depositEntries(wallet, cotton(size)),
  claim: ([wallet], size) => claimEntries(wallet, cotton(size)),
  hire: ([wallet], size) => primarySaleEntries(wallet, split(size)),
  parcel: ([wallet], size) => primarySaleEntries(wallet, split(size)),
  resale: ([buyer, seller], size) => resaleEntries({ buyer, seller }, split(size)),
  withdrawal: ([wallet], size) => holdEntries(wallet, split(size)),
  refund: ([wallet], size) => refundEntries(wallet, split(size)),
  cancellation: ([wallet], size) => refundEntries(wallet, split(size)),
}

// The first and the last millisecond of each month, and instants within.
const instant = fc.oneof(
  fc.constantFrom(
    ...MONTHS.flatMap((month) => [monthStart(month, 0).getTime(), monthStart(month, 1).getTime() - 1]),
  ),
  fc.integer({ min: monthStart('2026-01').getTime(), max: monthStart('2026-05', 1).getTime() - 1 }),
)
const moves = fc.array(
  fc.record({
    kind: fc.constantFrom(...(Object.keys(ENTRIES) as JournalKind[])),
    size: fc.integer({ min: 1, max: 1_000 }),
    at: instant,
  }),
  { minLength: 1, maxLength: 40 },
)

async function play(world: TestWorld, wallets: [string, string], history: readonly Move[]) {
  const played: { wallet: string; kind: JournalKind; at: number; account: string; amount: bigint }[] = []
  for (const [at, { kind, size, at: instantMs }] of history.entries()) {
    const of: [string, string] = at % 2 ? wallets : [wallets[1], wallets[0]]
    const entries = ENTRIES[kind]!(of, size)
    await world.db.transaction(async (tx) => {
      const ledger = await openLedger(tx, wallets)
      const isCovered = entries.every(({ wallet, account, amount }) => {
        if (account !== 'deposited' && account !== 'earned') return true
        return ledger.balances(wallet)[account] + amount >= 0n
      })
      if (!isCovered) return
      ledger.post({ wallet: of[0], kind, at: new Date(instantMs), detail: { reason: '=1+1' }, entries })
      ledger.write()
      played.push(...entries.map((entry) => ({ ...entry, kind, at: instantMs })))
    })
  }
  return played
}

/** The sum of what was played, of one class. */
const sumOf = (played: Awaited<ReturnType<typeof play>>, account: string): bigint =>
  played.reduce((sum, each) => (each.account === account ? sum + each.amount : sum), 0n)

test('opening + all lines = closing, of each class, month after month, whatever was played', async ({
  world,
}) => {
  // Journal ids ascend within a process, so the histories of one run follow each other in time.
  const histories = fc.sample(moves, { numRuns: 6 })
  const wallets: [string, string] = [(await world.player()).wallet, (await world.player()).wallet]
  const history = histories.flat().toSorted((a, b) => a.at - b.at)
  const start = monthStart('2026-01').getTime()
  // Moves alternate between the two players: both get credit of both classes.
  const funds: Move[] = [1, 2].flatMap(() => [
    { kind: 'deposit', size: 5_000, at: start },
    { kind: 'deposit', size: 5_000, at: start },
    { kind: 'claim', size: 5_000, at: start },
    { kind: 'claim', size: 5_000, at: start },
  ])
  const oneOfEach = (Object.keys(ENTRIES) as JournalKind[]).map((kind): Move => ({
    kind,
    size: 1,
    at: funds[0]!.at,
  }))
  const played = await play(world, wallets, [...funds, ...oneOfEach, ...history])
  expect(new Set(played.map(({ kind }) => kind)).size).toBe(Object.keys(ENTRIES).length)
  for (const wallet of wallets) {
    const own = played.filter((each) => each.wallet === wallet)
    let opening = { deposited: 0n, earned: 0n }
    for (const month of MONTHS) {
      const statement = await readStatement(world.db, { wallet, month, now: world.clock.now() })
      expect(statement.opening, month).toEqual(opening)
      const [start, end] = [monthStart(month).getTime(), monthStart(month, 1).getTime()]
      const within = own.filter(({ at }) => at >= start && at < end)
      const expected = [...Map.groupBy(within, ({ kind }) => kind)].flatMap(([kind, of]) => {
        const sums = { deposited: sumOf(of, 'deposited'), earned: sumOf(of, 'earned') }
        return of.some(({ account }) => account === 'deposited' || account === 'earned')
          ? [{ kind, ...sums }]
          : []
      })
      const byKind = (a: { kind: string }, b: { kind: string }) => a.kind.localeCompare(b.kind)
      expect(statement.lines.toSorted(byKind), month).toEqual(expected.toSorted(byKind))
      for (const name of ['deposited', 'earned'] as const) {
        const sum = statement.lines.reduce((total, line) => total + line[name], statement.opening[name])
        expect(sum, `${month} ${name}`).toBe(statement.closing[name])
      }
      opening = statement.closing
    }
    expect(opening).toEqual(await world.credit({ wallet, sign: () => Buffer.alloc(0) }))
  }

  // The file has the same movements, all of them or those of one kind and month.
  const [wallet] = wallets
  const own = played.filter((each) => each.wallet === wallet)
  const total = (some: typeof played) => sumOf(some, 'deposited') + sumOf(some, 'earned')
  const all = await readExport(world, wallet, {})
  expect(sumOfExport(all)).toBe(total(own))
  expect(all.every((record) => record[6] === `'=1+1`)).toBe(true)
  const filter = { kind: 'claim', from: '2026-01-01', to: '2026-01-31' } as const
  const claims = own.filter(({ kind, at }) => kind === 'claim' && at < monthStart('2026-02').getTime())
  expect(total(claims)).toBeGreaterThan(0n)
  expect(sumOfExport(await readExport(world, wallet, filter))).toBe(total(claims))
})

/** The records of a player's file, without its head. */
async function readExport(world: TestWorld, wallet: string, filter: HistoryFilter): Promise<string[][]> {
  const records: string[][] = []
  for await (const page of exportHistory(world.db, wallet, filter).rows)
    records.push(...page.map((record) => encodeRecords([record]).trimEnd().split(',')))
  return records.slice(1)
}

const sumOfExport = (records: readonly string[][]): bigint =>
  records.reduce((sum, [, , amount]) => sum + BigInt(Math.round(Number(amount) * 1e6)), 0n)
