import type { Clock } from '#server/platform/clock.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import type { Tracing } from '#server/platform/tracing/tracing.ts'

type PaidWithdrawal = {
  id: string
  traceparent: string
  requestedAt: Date
  judgedAt: Date | null
  signedAt: Date | null
  settledAt: Date
  signature: string | null
}

/** Withdrawals whose settlements commit late are found for this long. */
const OVERLAP_MS = 60_000

const readPaid = sql({
  name: 'traces-read-paid-withdrawals',
  params: { after: 'timestamptz', traced: 'uuid[]' },
  row: rowOf<PaidWithdrawal>(),
  text: ({
    after,
    traced,
  }) => `select w.id::text, w.traceparent, w.requested_at as "requestedAt", w.judged_at as "judgedAt",
      p.signed_at as "signedAt", w.settled_at as "settledAt", w.paid_by as signature
    from withdrawals w left join payouts p on p.withdrawal_id = w.id
    where w.state = 'finalized' and w.settled_at > ${after} and w.traceparent is not null and w.id <> all(${traced})
    order by w.settled_at limit 500`,
})

/**
 * Creates a round that continues the traces of withdrawals that were paid since it was created. The signer loads no tracing
 * library: its spans are made of the times that it stored.
 */
export function createPayoutTraceRound({
  db,
  clock,
  tracing,
}: {
  db: Queryable
  clock: Clock
  tracing: Tracing
}): () => Promise<void> {
  let from = clock.now()
  const traced = new Map<string, Date>()
  return async () => {
    // After the clock of this process was ahead it is in the future. Then some payouts are traced twice, and none is lost.
    from = new Date(Math.min(from.getTime(), clock.now().getTime()))
    const paid = await db.rows(readPaid, { after: from, traced: [...traced.keys()] })
    for (const withdrawal of paid) {
      traced.set(withdrawal.id, withdrawal.settledAt)
      tracePayout(tracing, withdrawal)
    }
    const newest = paid.at(-1)?.settledAt
    if (!newest) return
    // A later time is of a clock that was ahead. Until it comes, others are paid.
    const reached = Math.min(newest.getTime(), clock.now().getTime())
    from = new Date(Math.max(from.getTime(), reached - OVERLAP_MS))
    for (const [id, settledAt] of traced) if (settledAt <= from) traced.delete(id)
  }
}

function tracePayout(tracing: Tracing, withdrawal: PaidWithdrawal): void {
  const { id, traceparent, requestedAt, judgedAt, signedAt, settledAt, signature } = withdrawal
  const attributes = { 'cotton.withdrawal.id': id, ...(signature && { 'solana.signature': signature }) }
  const whole = tracing.start({ name: 'withdrawal', parent: traceparent, at: requestedAt, attributes })
  const step = (name: string, [at, end]: readonly [Date | null, Date | null]): void => {
    if (at && end) tracing.start({ name, parent: whole.traceparent, at, attributes }).end({ at: end })
  }
  step('review', [requestedAt, judgedAt])
  step('sign', [judgedAt, signedAt])
  step('land', [signedAt, settledAt])
  whole.end({ at: settledAt })
}
