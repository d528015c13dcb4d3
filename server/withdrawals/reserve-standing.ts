import type { Cluster } from '#server/chain/port.ts'
import { type Queryable, sql } from '#server/platform/db/db.ts'

/** How the reserve stands: `unseen` where nobody has looked lately, which is an alarm like any other. */
export type ReserveStanding = 'covered' | 'short' | 'unseen'

/** Of the last look at the reserve: when it was, how long it took, and whether a later look confirmed that tokens are missing. */
export type LastSnapshot = { at: Date; tookMs: number; confirmed: boolean }

const MAX_SNAPSHOT_AGE_MS = 60_000

const readLastSnapshot = sql(
  'reserve-read-last-snapshot',
  'select at, took_ms as "tookMs", confirmed from solvency',
)

/** What is known of the reserve now. A look that takes long comes round more rarely; one of the future is none. */
export function standingOf(snapshot: LastSnapshot | null, now: Date): ReserveStanding {
  if (!snapshot) return 'unseen'
  // A moment that is none is not within the bound either.
  const isRecent =
    Math.abs(now.getTime() - snapshot.at.getTime()) <= MAX_SNAPSHOT_AGE_MS + 10 * snapshot.tookMs
  if (!isRecent) return 'unseen'
  return snapshot.confirmed ? 'short' : 'covered'
}

/**
 * True where a payout may be signed: somebody has seen within the last minute that the tokens cover what is owed. On
 * the local chain, where tokens are worth nothing, nobody waits for a look.
 */
export async function isReserveCovered(
  tx: Queryable,
  { cluster, now }: { cluster: Cluster; now: Date },
): Promise<boolean> {
  if (cluster === 'local') return true
  const [snapshot] = await tx.rows<LastSnapshot>(readLastSnapshot)
  return standingOf(snapshot ?? null, now) === 'covered'
}
