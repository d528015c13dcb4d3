import { runOnce, type ActionRequest } from '#server/actions/run-once.ts'
import type { Ledger } from '#server/ledger/ledger.ts'
import { type Answer, granted, refused } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'

export type Cancel = ActionRequest & { listingId: string }
export type CancelReply = { success: true; message: string }

type Listed = { id: string; seller: string; state: string }

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
  const lockAndRead = () => tx.rows<Listed>(lockListings, [cancels.map((each) => each.listingId)])
  const act = async (_ledger: Ledger, fresh: readonly Cancel[], now: Date, rows: readonly Listed[]) => {
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
    if (cancelled.length > 0) void tx.rows(closeCancelled, [cancelled, now])
    return answers
  }
  return runOnce(tx, cancels, clock, act, { lockAndRead })
}
