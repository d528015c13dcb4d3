import { expect } from 'vitest'
import { baseUnits, cotton } from '#game/cotton.ts'
import { depositEntries } from '#game/credit.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { buyListings } from '#server/market/buy-listings.ts'
import { listParcels } from '#server/market/list-parcels.ts'
import { createMarket } from '#server/market/market-mode.ts'
import { replyOf } from '#server/platform/answer.ts'
import { interceptStatements } from '#tests/support/intercept-statements.ts'
import { rawSql } from '#tests/support/raw-sql.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import type { TestPlayer } from '#tests/support/test-player.ts'
import { type HistoryFilter, readHistory } from './read-history.ts'

const market = createMarket('open')

/** Lists a parcel and sells it to the buyer. */
async function resell(
  { db, clock }: TestWorld,
  { seller, buyer, parcelId }: { seller: TestPlayer; buyer: TestPlayer; parcelId: string },
): Promise<void> {
  const offer = { wallet: seller.wallet, parcelId, price: cotton(1_000), key: null }
  const [listed] = await db.transaction((tx) => listParcels(tx, [offer], { clock, market }))
  const listingId = replyOf(listed!).listing.id
  const purchase = { wallet: buyer.wallet, listingId, expectedPrice: null, key: null }
  const [sold] = await db.transaction((tx) => buyListings(tx, [purchase], { clock, market }))
  replyOf(sold!)
}

test('history names the land, and in a resale the other player, for both sides (X-06)', async ({ world }) => {
  const [ana, bo, cy] = await Promise.all([
    world.player({ deposited: 200_000 }),
    world.player({ deposited: 200_000 }),
    world.player({ deposited: 200_000 }),
  ])
  await world.buy(ana, 'EU-MT')
  await resell(world, { seller: ana, buyer: bo, parcelId: 'EU-MT' })
  await resell(world, { seller: bo, buyer: cy, parcelId: 'EU-MT' })

  const detailsOf = async ({ wallet }: TestPlayer) => {
    const { items } = await readHistory(world.db, { wallet, before: undefined, limit: 10 })
    return items.map(({ kind, amount, detail }) => ({ kind, amount, detail }))
  }
  const malta = { parcelId: 'EU-MT', countryName: 'Malta', regionName: 'Europe' }
  expect(await detailsOf(ana)).toMatchObject([
    { kind: 'resale', amount: 900, detail: { ...malta, counterparty: bo.wallet } },
    { kind: 'parcel', amount: -100_000, detail: malta },
    { kind: 'adjustment' },
  ])
  expect(await detailsOf(bo)).toMatchObject([
    { kind: 'resale', amount: 900, detail: { ...malta, counterparty: cy.wallet } },
    { kind: 'resale', amount: -1_000, detail: { ...malta, counterparty: ana.wallet } },
    {},
  ])
  const [, bought] = await detailsOf(ana)
  expect(bought?.detail).not.toHaveProperty('counterparty')
})

test('a journal about land that the world does not know has no names', async ({ world }) => {
  const ana = await world.player({ deposited: 50_000 })
  await world.hire(ana, 'kid')
  const { items } = await readHistory(world.db, { wallet: ana.wallet, before: undefined, limit: 1 })
  expect(items).toMatchObject([{ kind: 'hire', detail: { workerId: 'kid-0001' } }])
  expect(Object.keys(items[0]!.detail)).toEqual(['workerId'])
})

test('both days of a filter belong to it, and its pages end where it ends', async ({ world }) => {
  const { wallet, ...ana } = await world.player({ deposited: 1_000_000 })
  const ids: string[] = []
  for (const instant of [
    '2026-01-10T23:59:59.999Z',
    '2026-01-11T00:00:00.000Z',
    '2026-01-12T23:59:59.999Z',
    '2026-01-13T00:00:00.000Z',
  ]) {
    world.clock.set(instant)
    ids.unshift(await world.hire({ wallet, ...ana }, 'kid'))
  }
  const pageOf = async (filter: HistoryFilter, before?: string, limit = 10) => {
    const { items, next } = await readHistory(world.db, { wallet, before, limit }, filter)
    return { ids: items.map(({ detail }) => detail.workerId), next }
  }
  const [latest, second, third, earliest] = ids
  const days = { from: '2026-01-11', to: '2026-01-12' }
  expect((await pageOf(days)).ids).toEqual([second, third])
  expect((await pageOf({ to: '2026-01-12' })).ids).toEqual([second, third, earliest, undefined])
  expect((await pageOf({ from: '2026-01-11' })).ids).toEqual([latest, second, third])
  expect((await pageOf({ kind: 'hire', ...days })).ids).toEqual([second, third])
  expect((await pageOf({ kind: 'adjustment', ...days })).ids).toEqual([])

  const first = await pageOf(days, undefined, 1)
  expect(first.ids).toEqual([second])
  expect((await pageOf(days, first.next!, 1)).ids).toEqual([third])
  // A cursor of another filter, later than the last day, also in upper case.
  const newest = await pageOf({}, undefined, 1)
  expect((await pageOf(days, newest.next!)).ids).toEqual([second, third])
  const oneDay = { from: '2026-01-11', to: '2026-01-11' }
  expect((await pageOf(oneDay, newest.next!.toUpperCase())).ids).toEqual([third])
})

test('deposits that are not final yet are listed apart from the changes', async ({ world }) => {
  const { wallet } = await world.player()
  const insert = `insert into receipts (signature, token_account, wallet, asset, amount, slot, state, seen_at)
    values ($1, 'account', $2, 'cotton', $3, 1, $4, $5)`
  const add = (signature: string, amount: string, state: string) =>
    world.db.rows(
      rawSql({ name: `test-${signature}`, text: insert }, [
        signature,
        wallet,
        amount,
        state,
        world.clock.now(),
      ]),
    )
  await add('pending', '2500000', 'pending')
  await add('dropped', '2500000', 'dropped')
  const { items, next, pending } = await readHistory(world.db, { wallet, before: undefined, limit: 10 })
  expect([items, next]).toEqual([[], null])
  expect(pending).toEqual([{ signature: 'pending', amount: 2.5, at: world.clock.now().toISOString() }])
  // A token may have up to 2⁶⁴ base units, twice the largest bigint.
  await add('huge', '18000000000000000000', 'pending')
  const again = await readHistory(world.db, { wallet, before: undefined, limit: 10 })
  expect(again.pending.map(({ amount }) => amount)).toContain(18e12)
})

test('a deposit that is credited while the history is read is in it once', async ({ world }) => {
  const { wallet } = await world.player()
  const at = world.clock.now()
  const signature = 'credited meanwhile'
  const addPending = `insert into receipts (signature, token_account, wallet, asset, amount, slot, state, seen_at)
    values ($1, 'another account', $2, 'cotton', 2500000, 1, 'pending', $3)`
  await world.db.rows(rawSql({ name: 'test-add-pending', text: addPending }, [signature, wallet, at]))
  const setCredited = `update receipts set state = 'credited', credited_at = $2, journal_id = $3 where signature = $1`
  const credit = () =>
    world.db.transaction(async (tx) => {
      const ledger = await openLedger(tx, [wallet])
      const entries = depositEntries(wallet, baseUnits(2_500_000n))
      const id = ledger.post({ wallet, kind: 'deposit', at, detail: { signature }, entries })
      tx.send(rawSql({ name: 'test-set-credited', text: setCredited }, [signature, at, id]))
      ledger.write()
    })
  let reads = 0
  const { rows } = interceptStatements(world.db, async (_statement, run) => {
    const read = await run()
    if (++reads === 1) await credit()
    return read
  })
  const db = { ...world.db, rows }
  const { items, pending } = await readHistory(db, { wallet, before: undefined, limit: 10 })
  expect([items.map(({ detail }) => detail.signature), pending]).toEqual([[signature], []])
})
