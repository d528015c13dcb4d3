import { type Queryable, sql } from '#server/platform/db/db.ts'

/** An address where something arrived, or whose player asked, this recently is watched in every round. */
export const ACTIVE_MS = 60 * 60_000

// It only has to be right against an hour.
const mark = sql(
  'deposits-mark-active',
  `update deposit_addresses set lively_at = $2
   where owner = $1 and (lively_at is null or abs(extract(epoch from $2 - lively_at)) > 60)`,
)

/** Something arrived at this owner's address, or its player has asked: the watcher looks there in every round. */
export async function markActive(tx: Queryable, { owner, now }: { owner: string; now: Date }): Promise<void> {
  await tx.rows(mark, [owner, now])
}
