import { type Db, sql } from '#server/platform/db/db.ts'
import type { Player } from '#server/platform/http/serve.ts'

const readSeenElsewhere = sql(
  'sessions-seen-elsewhere',
  `select greatest((
     select max(seen_at) from (
       select seen_at from sessions where wallet = $1 and token_hash <> $2 order by created_at desc limit 100
     ) newest
   ), (select seen_at from users where wallet = $1)) as at`,
)

/**
 * When a player was last seen in another session than the one that asks, ended or not, removed or not; null where there
 * never was one. Of very many sessions only the newest hundred count. What is written of a session is up to a minute
 * old.
 */
export async function readLastSeen(db: Db, { wallet, tokenHash }: Player): Promise<Date | null> {
  const [seen] = await db.rows<{ at: Date | null }>(readSeenElsewhere, [wallet, tokenHash])
  return seen!.at
}
