import type { Cluster } from '#server/chain/port.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'

/**
 * `unconfirmed`: the last check found too few tokens, and the next ones decide. `unseen`: the reserve was not checked recently. Off
 * the local chain it stops payouts, as `short` does.
 */
export type ReserveStanding = 'covered' | 'unconfirmed' | 'short' | 'unseen'

/** The last reserve snapshot: its time, its duration, its surplus, and whether a later one confirmed that tokens are missing. */
export type LastSnapshot = { at: Date; tookMs: number; surplus: bigint; confirmed: boolean }

const MAX_SNAPSHOT_AGE_MS = 60_000

const readLastSnapshot = sql({
  name: 'reserve-read-last-snapshot',
  row: rowOf<LastSnapshot>(),
  text: 'select at, took_ms as "tookMs", surplus, confirmed from solvency',
})

/**
 * The state of the reserve now. The age limit grows with a snapshot's duration; a snapshot from the future is ignored.
 */
export function standingOf(snapshot: LastSnapshot | null, now: Date): ReserveStanding {
  if (!snapshot) return 'unseen'
  // An invalid date gives NaN, which is not within the limit.
  const isRecent =
    Math.abs(now.getTime() - snapshot.at.getTime()) <= MAX_SNAPSHOT_AGE_MS + 10 * snapshot.tookMs
  if (!isRecent) return 'unseen'
  if (snapshot.confirmed) return 'short'
  return snapshot.surplus < 0n ? 'unconfirmed' : 'covered'
}

/**
 * True if payouts may be signed: the last snapshot is recent, and no shortage is confirmed. One that is not confirmed yet stops
 * none. On the local chain, where tokens are worth nothing, no snapshot is required.
 */
export async function isReserveCovered(
  db: Queryable,
  { cluster, now }: { cluster: Cluster; now: Date },
): Promise<boolean> {
  if (cluster === 'local') return true
  const [snapshot] = await db.rows(readLastSnapshot)
  const standing = standingOf(snapshot ?? null, now)
  return standing === 'covered' || standing === 'unconfirmed'
}
