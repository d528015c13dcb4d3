import { continentOf } from '#game/parcels.ts'
import type { purchaseListing } from '#contract/market.ts'
import type { ReplyOf } from '#contract/route.ts'
import { baseUnits, type Cotton, formatCotton, toWire } from '#game/cotton.ts'
import { splitPayment, resaleEntries, totalOf } from '#game/credit.ts'
import { runOnce, type ActionRequest } from '#server/actions/run-once.ts'
import type { Ledger } from '#server/ledger/ledger.ts'
import { type Answer, type AnswerOf, granted, refused } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { rowOf, rowset, sql, type Tx } from '#server/platform/db/db.ts'
import { lockLandForTransfer } from './lock-land.ts'
import type { Market } from './market-mode.ts'

/** With `expectedPrice` null the purchase accepts any listed price. */
export type Purchase = ActionRequest & { listingId: string; expectedPrice: Cotton | null }

type ListingRow = { id: string; parcel_id: string; seller: string; price: Cotton; state: string }

// A listing's parcel, seller and price never change, so they can be read without a lock.
const findListings = sql({
  name: 'market-find-listings',
  params: { ids: 'uuid[]' },
  row: rowOf<Omit<ListingRow, 'price'> & { price: bigint }>(),
  text: ({ ids }) => `select id, parcel_id, seller, price, state from listings where id = any(${ids})`,
})

const lockListings = sql({
  name: 'market-lock-listings',
  params: { ids: 'uuid[]' },
  row: rowOf<{ id: string; state: string }>(),
  text: ({ ids }) => `select l.id, l.state from listings l where l.id = any(${ids}) order by l.id for update`,
})

const closeSold = sql({
  name: 'market-close-sold',
  params: { sold: rowset({ id: 'uuid', buyer: 'text', journal_id: 'uuid' }), now: 'timestamptz' },
  text: ({ sold, now }) =>
    `update listings l set state = 'sold', buyer = sold.buyer, journal_id = sold.journal_id, closed_at = ${now}
     from ${sold} where l.id = sold.id`,
})

const transferLand = sql({
  name: 'market-transfer-land',
  params: { sold: rowset({ parcel_id: 'text', buyer: 'text' }) },
  text: ({ sold }) => `update land l set wallet = sold.buyer from ${sold} where l.parcel_id = sold.parcel_id`,
})

const updateVersions = sql({
  name: 'market-update-versions',
  params: { changed: rowset({ code: 'text', version: 'bigint' }) },
  text: ({ changed }) =>
    `update continents c set version = changed.version from ${changed} where c.code = changed.code`,
})

/**
 * Sells listed parcels from player to player: many requests in, one answer each, in their order. The buyer pays the
 * listed price, the seller receives it less the fee (`FEE_BPS`), and must still own the parcel at this moment.
 */
export async function buyListings(
  tx: Tx,
  purchases: readonly Purchase[],
  { clock, market }: { clock: Clock; market: Market },
): Promise<AnswerOf<typeof purchaseListing>[]> {
  const rows = await tx.rows(findListings, { ids: purchases.map((each) => each.listingId) })
  const listings = new Map(rows.map((row) => [row.id, { ...row, price: baseUnits(row.price) }]))
  const sellers = rows.map((row) => row.seller)
  const wanted = [...listings.values()]
  const lockAndRead = () =>
    Promise.all([
      market.openContinents(tx),
      lockLandForTransfer(
        tx,
        wanted.map((listing) => listing.parcel_id),
      ),
      lockAndReadStates(tx, wanted),
    ])
  const act = async (
    ledger: Ledger,
    fresh: readonly Purchase[],
    now: Date,
    [open, { owners, versions }, states]: Awaited<ReturnType<typeof lockAndRead>>,
  ) => {
    if (open.size === 0) return fresh.map(() => refused('market_closed'))
    const sold: Sold[] = []
    const answers = fresh.map((purchase) => {
      const listing = listings.get(purchase.listingId)
      if (!listing) return refused('listing_not_found')
      const refusal = refusalOf(purchase, listing, states)
      if (refusal) return refusal
      if (ledger.isFrozen(listing.seller)) return refused('listing_suspended')
      if (!open.has(continentOf(listing.parcel_id))) return refused('market_closed')
      // The seller no longer owns the parcel.
      if (owners.get(listing.parcel_id) !== listing.seller) return refused('listing_gone')
      const sale = pay(ledger, { purchase, listing, now })
      if (sale.refusal) return sale
      states.set(listing.id, 'sold')
      owners.set(listing.parcel_id, purchase.wallet)
      const code = continentOf(listing.parcel_id)
      const version = versions.get(code)! + 1
      versions.set(code, version)
      sold.push({
        id: listing.id,
        parcel_id: listing.parcel_id,
        buyer: purchase.wallet,
        journal_id: sale.reply,
      })
      return granted(replyFor(listing, { balance: totalOf(ledger.balances(purchase.wallet)), version }))
    })
    write(tx, sold, { now, versions })
    return answers
  }
  return runOnce(tx, purchases, clock, act, { alsoLock: sellers, lockAndRead })
}

type Sold = { id: string; parcel_id: string; buyer: string; journal_id: string }

async function lockAndReadStates(tx: Tx, listings: readonly ListingRow[]): Promise<Map<string, string>> {
  if (listings.length === 0) return new Map()
  const rows = await tx.rows(lockListings, { ids: listings.map((each) => each.id) })
  return new Map(rows.map((row) => [row.id, row.state]))
}

function refusalOf(
  { wallet, expectedPrice }: Purchase,
  listing: ListingRow,
  states: ReadonlyMap<string, string>,
) {
  if (listing.seller === wallet) return refused('own_listing')
  if (states.get(listing.id) !== 'active') return refused('listing_gone')
  if (expectedPrice !== null && expectedPrice !== listing.price) {
    return refused('price_moved', { newPrice: toWire(listing.price) })
  }
  return null
}

function pay(
  ledger: Ledger,
  { purchase, listing, now }: { purchase: Purchase; listing: ListingRow; now: Date },
): Answer<string, 'not_enough_credit'> {
  const { wallet: buyer } = purchase
  const { seller, price, id, parcel_id: parcelId } = listing
  const balances = ledger.balances(buyer)
  const paid = splitPayment(balances, price)
  if (!paid)
    return refused('not_enough_credit', {
      required: formatCotton(price),
      available: formatCotton(totalOf(balances)),
    })
  return granted(
    ledger.post({
      wallet: buyer,
      kind: 'resale',
      at: now,
      detail: { listingId: id, parcelId, price: toWire(price) },
      entries: resaleEntries({ buyer, seller }, paid),
    }),
  )
}

function replyFor(
  { parcel_id: parcelId }: ListingRow,
  { balance, version }: { balance: Cotton; version: number },
): ReplyOf<typeof purchaseListing> {
  return {
    success: true,
    message: 'Purchase successful! The land is now yours.',
    parcelId,
    newBalance: toWire(balance),
    version,
  }
}

function write(
  tx: Tx,
  sold: readonly Sold[],
  { now, versions }: { now: Date; versions: ReadonlyMap<string, number> },
): void {
  if (sold.length === 0) return
  tx.send(closeSold, { sold, now })
  // A parcel has at most one active listing, so it is sold at most once in a batch.
  tx.send(transferLand, { sold })
  const codes = [...new Set(sold.map((each) => continentOf(each.parcel_id)))]
  tx.send(updateVersions, {
    changed: codes.map((code) => ({ code, version: BigInt(versions.get(code)!) })),
  })
}
