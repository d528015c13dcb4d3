import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { depositEntries } from '#game/credit.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import type { Cell } from '#server/platform/http/csv-download.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { exportHistory } from './export-history.ts'
import type { HistoryFilter } from './read-history.ts'

/** Posts a deposit of 1, 2, 3, … $COTTON with each of these details. */
async function post({ db, clock }: TestWorld, wallet: string, details: readonly Record<string, string>[]) {
  await db.transaction(async (tx) => {
    const ledger = await openLedger(tx, [wallet])
    for (const [at, detail] of details.entries()) {
      const entries = depositEntries(wallet, cotton(at + 1))
      ledger.post({ wallet, kind: 'deposit', at: clock.now(), detail, entries })
    }
    ledger.write()
  })
}

async function recordsOf({ db }: TestWorld, wallet: string, filter: HistoryFilter = {}) {
  const records: (readonly Cell[])[] = []
  for await (const page of exportHistory(db, wallet, filter).rows) records.push(...page)
  return records
}

test('a file of several pages has every change once, newest first, under one header', async ({ world }) => {
  const { wallet } = await world.player()
  const count = 2_001
  await post(
    world,
    wallet,
    Array.from({ length: count }, () => ({})),
  )
  const [header, ...records] = await recordsOf(world, wallet)
  expect(header).toEqual([
    'Time (UTC)',
    'Kind',
    'Amount ($COTTON)',
    'What',
    'Other player',
    'Transaction',
    'Note',
    'Id',
  ])
  expect(records.map(([, , amount]) => amount)).toEqual(
    Array.from({ length: count }, (_, at) => ({ number: String(count - at) })),
  )
  expect(await recordsOf(world, (await world.player()).wallet)).toEqual([header])
})

test('a record names what the change is about, and is empty where nothing is known', async ({ world }) => {
  const { wallet } = await world.player()
  await post(world, wallet, [
    { workerId: 'kid-0001' },
    { workerType: 'grandma' },
    { parcelId: 'EU-MT' },
    { parcelId: 'EU-ATLANTIS' },
    { withdrawalId: 'of a withdrawal', signature: '5sig', reason: 'why' },
    {},
  ])
  const [, ...records] = await recordsOf(world, wallet)
  const time = world.clock.now().toISOString()
  expect(records.map((record) => record.slice(0, -1)).toReversed()).toEqual([
    [time, 'deposit', { number: '1' }, 'kid-0001', null, null, null],
    [time, 'deposit', { number: '2' }, 'grandma', null, null, null],
    [time, 'deposit', { number: '3' }, 'Malta', null, null, null],
    [time, 'deposit', { number: '4' }, 'EU-ATLANTIS', null, null, null],
    [time, 'deposit', { number: '5' }, 'of a withdrawal', null, '5sig', 'why'],
    [time, 'deposit', { number: '6' }, null, null, null, null],
  ])
  expect(new Set(records.map((record) => record.at(-1))).size).toBe(records.length)
})
