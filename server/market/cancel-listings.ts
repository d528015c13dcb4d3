import type { cancelListing } from '#contract/market.ts'
import type { ReplyOf } from '#contract/route.ts'
import { runOnceIfFrozen, type ActionRequest } from '#server/actions/run-once.ts'
import type { Ledger } from '#server/ledger/ledger.ts'
import { type AnswerOf, granted, refused } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { rowOf, sql, type Tx } from '#server/platform/db/db.ts'

export type Cancel = ActionRequest & { listingId: string }

type Listed = { id: string; seller: string; state: string }

const lockListings = sql({
  name: 'market-lock-to-cancel',
  params: { ids: 'uuid[]' },
  row: rowOf<Listed>(),
  text: ({ ids }) =>
    `select l.id, l.seller, l.state from listings l where l.id = any(${ids}) order by l.id for update`,
})

const closeCancelled = sql({
  name: 'market-close-cancelled',
  params: { ids: 'uuid[]', now: 'timestamptz' },
  text: ({ ids, now }) =>
    `update listings set state = 'cancelled', closed_at = ${now} where id = any(${ids}) and state = 'active'`,
})

/** Cancels listings: many requests in, one answer each. Cancelling is possible while the market is closed. */
export async function cancelListings(
  tx: Tx,
  cancels: readonly Cancel[],
  clock: Clock,
): Promise<AnswerOf<typeof cancelListing>[]> {
  const lockAndRead = () => tx.rows(lockListings, { ids: cancels.map((each) => each.listingId) })
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
      return granted<ReplyOf<typeof cancelListing>>({
        success: true,
        message: 'Listing cancelled successfully.',
      })
    })
    if (cancelled.length > 0) tx.send(closeCancelled, { ids: cancelled, now })
    return answers
  }
  return runOnceIfFrozen(tx, cancels, clock, act, { lockAndRead })
}
