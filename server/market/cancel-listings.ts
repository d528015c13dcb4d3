import { actOnce, type Request } from '#server/account/act-once.ts'
import { type Answer, granted, refused } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'

export type Cancel = Request & { listingId: string }
export type CancelReply = { success: true; message: string }

const lockListings = sql(
  'market-lock-to-cancel',
  `select l.id, l.seller, l.state from listings l where l.id = any($1::uuid[]) order by l.id for update`,
)

const closeCancelled = sql(
  'market-close-cancelled',
  `update listings set state = 'cancelled', closed_at = $2 where id = any($1::uuid[]) and state = 'active'`,
)

/** Takes listings back: many requests in, one answer each. It works while the market is closed too. */
export async function cancelListings(
  tx: Tx,
  cancels: readonly Cancel[],
  clock: Clock,
): Promise<Answer<CancelReply>[]> {
  return actOnce(tx, cancels, clock, async (_book, fresh, now) => {
    const rows = await tx.rows<{ id: string; seller: string; state: string }>(lockListings, [
      fresh.map((each) => each.listingId),
    ])
    const listings = new Map(rows.map((row) => [row.id, row]))
    const cancelled: string[] = []
    const answers = fresh.map(({ wallet, listingId }) => {
      const listing = listings.get(listingId)
      if (!listing) return refused('listing_not_found')
      if (listing.seller !== wallet) return refused('listing_not_yours')
      if (listing.state !== 'active') return refused('listing_gone')
      listing.state = 'cancelled'
      cancelled.push(listingId)
      return granted<CancelReply>({ success: true, message: 'Listing cancelled successfully.' })
    })
    if (cancelled.length > 0) await tx.rows(closeCancelled, [cancelled, now])
    return answers
  })
}
