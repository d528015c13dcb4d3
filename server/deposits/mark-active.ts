import { type Queryable, sql } from '#server/platform/db/db.ts'

/** For this long after an arrival or a check by its player, an address is compared in every round. */
export const ACTIVE_MS = 60 * 60_000

// Writes at most once a minute: that is precise enough for ACTIVE_MS.
const mark = sql(
  'deposits-mark-active',
  `update deposit_addresses set lively_at = $2
   where owner = $1 and (lively_at is null or abs(extract(epoch from $2 - lively_at)) > 60)`,
)

/** Marks the address of this owner as active, so that the watcher compares its balance in every round. */
export async function markActive(tx: Queryable, { owner, now }: { owner: string; now: Date }): Promise<void> {
  await tx.rows(mark, [owner, now])
}
