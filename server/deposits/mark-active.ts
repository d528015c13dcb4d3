import { type Queryable, sql } from '#server/platform/db/db.ts'

/** For this long after an arrival or a check by its player, an address is compared in every round. */
export const ACTIVE_MS = 60 * 60_000

// Writes at most once a minute: that is precise enough for ACTIVE_MS.
const mark = sql({
  name: 'deposits-mark-active',
  params: { owner: 'text', now: 'timestamptz' },
  text: ({ owner, now }) =>
    `update deposit_addresses set lively_at = ${now}
     where owner = ${owner} and (lively_at is null or abs(extract(epoch from ${now} - lively_at)) > 60)`,
})

/** Marks the address of this owner as active, so that the watcher compares its balance in every round. */
export async function markActive(db: Queryable, { owner, now }: { owner: string; now: Date }): Promise<void> {
  await db.rows(mark, { owner, now })
}
