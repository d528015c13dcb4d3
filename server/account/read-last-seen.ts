import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import type { Player } from '#server/platform/http/serve.ts'

const readSeenElsewhere = sql({
  name: 'sessions-seen-elsewhere',
  params: { wallet: 'text', tokenHash: 'bytea' },
  row: rowOf<{ at: Date | null }>(),
  text: ({ wallet, tokenHash }) =>
    `select greatest((
       select max(seen_at) from (
         select seen_at from sessions where wallet = ${wallet} and token_hash <> ${tokenHash}
         order by created_at desc limit 100
       ) newest
     ), (select seen_at from users where wallet = ${wallet})) as at`,
})

/**
 * The time when a player was last seen in another session than the caller's, including ended and removed sessions. Null
 * if there was none. Only the newest hundred sessions count. The stored time may be up to a minute old.
 */
export async function readLastSeen(db: Db, { wallet, tokenHash }: Player): Promise<Date | null> {
  const [seen] = await db.rows(readSeenElsewhere, { wallet, tokenHash })
  return seen!.at
}
