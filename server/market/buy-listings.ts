import { baseUnits, type Cotton, formatCotton, toWire } from '#game/cotton.ts'
import { splitPayment, resaleEntries, totalOf } from '#game/credit.ts'
import { runOnce, type ActionRequest } from '#server/actions/run-once.ts'
import type { Ledger } from '#server/ledger/ledger.ts'
import { type Answer, granted, refused } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'
import { continentOf, lockLandForTransfer } from './lock-land.ts'
import type { Market } from './market-mode.ts'

/** `expectedPrice` null buys at the listed price, whatever it is. */
export type Purchase = ActionRequest & { listingId: string; expectedPrice: Cotton | null }
export type PurchaseReply = {
  success: true
  message: string
  parcelId: string
  newBalance: number
  version: number
}

type ListingRow = { id: string; parcel_id: string; seller: string; price: Cotton; state: string }

// A listing's parcel, seller and price never change, so they may be read before anything is locked.
const findListings = sql(
  'market-find-listings',
  'select id, parcel_id, seller, price, state from listings where id = any($1::uuid[])',
)

const lockListings = sql(
  'market-lock-listings',
  `select l.id, l.state from listings l where l.id = any($1::uuid[]) order by l.id for update`,
)

const closeSold = sql(
  'market-close-sold',
  `update listings l set state = 'sold', buyer = s.buyer, journal_id = s.journal_id, closed_at = $4
   from unnest($1::uuid[], $2::text[], $3::uuid[]) as s (id, buyer, journal_id) where l.id = s.id`,
)

const transferLand = sql(
  'market-transfer-land',
  `update land l set wallet = s.buyer from unnest($1::text[], $2::text[]) as s (parcel_id, buyer)
   where l.parcel_id = s.parcel_id`,
)

const moveVersions = sql(
  'market-move-versions',
  `update continents c set version = s.version
   from unnest($1::text[], $2::bigint[]) as s (code, version) where c.code = s.code`,
)

/**
 * Sells listed parcels from player to player: many requests in, one answer each, in their order. The buyer pays the
 * listed price, the seller receives it less a tenth, and must still own the parcel at this moment.
 */
export async function buyListings(
  tx: Tx,
  purchases: readonly Purchase[],
  { clock, market }: { clock: Clock; market: Market },
): Promise<Answer<PurchaseReply>[]> {
  const rows = await tx.rows<Omit<ListingRow, 'price'> & { price: bigint }>(findListings, [
    purchases.map((each) => each.listingId),
  ])
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
      const refusal = refusalOf(purchase, listing, states)
      if (refusal || !listing) return refusal ?? refused('listing_not_found')
      if (!open.has(continentOf(listing.parcel_id))) return refused('market_closed')
      // The listing outlived its seller's ownership: it sells nothing.
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
        parcelId: listing.parcel_id,
        buyer: purchase.wallet,
        journalId: sale.reply,
      })
      return granted(replyFor(listing, { balance: totalOf(ledger.balances(purchase.wallet)), version }))
    })
    write(tx, sold, { now, versions })
    return answers
  }
  return runOnce(tx, purchases, clock, act, { alsoLock: sellers, lockAndRead })
}

type Sold = { id: string; parcelId: string; buyer: string; journalId: string }

async function lockAndReadStates(tx: Tx, listings: readonly ListingRow[]): Promise<Map<string, string>> {
  if (listings.length === 0) return new Map()
  const rows = await tx.rows<{ id: string; state: string }>(lockListings, [listings.map((each) => each.id)])
  return new Map(rows.map((row) => [row.id, row.state]))
}

function refusalOf(
  { wallet, expectedPrice }: Purchase,
  listing: ListingRow | undefined,
  states: ReadonlyMap<string, string>,
): Answer<never> | null {
  if (!listing) return refused('listing_not_found')
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
): Answer<string> {
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
): PurchaseReply {
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
  const buyers = sold.map((each) => each.buyer)
  void tx.rows(closeSold, [sold.map((each) => each.id), buyers, sold.map((each) => each.journalId), now])
  // A parcel is listed once at a time, so it changes hands at most once in a batch.
  void tx.rows(transferLand, [sold.map((each) => each.parcelId), buyers])
  const codes = [...new Set(sold.map((each) => continentOf(each.parcelId)))]
  void tx.rows(moveVersions, [codes, codes.map((code) => versions.get(code)!)])
}
