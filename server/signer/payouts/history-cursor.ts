import type { Signature } from '#server/chain/port.ts'
import { type Queryable, sql } from '#server/platform/db/db.ts'

const read = sql(
  'history-cursor-read',
  `select value ->> 'signature' as signature from settings where name = $1`,
)

const move = sql(
  'history-cursor-move',
  `insert into settings (name, value, at) values ($1, jsonb_build_object('signature', $2::text), $3)
   on conflict (name) do update set value = excluded.value, at = excluded.at`,
)

/** What the treasury's history has been read for. */
type Cursor = 'payouts_read_to' | 'sweeps_read_to'

/** Up to which transaction of the treasury's history everything is in the books; null where nothing was read yet. */
export async function readCursor(db: Queryable, name: Cursor): Promise<Signature | null> {
  const [row] = await db.rows<{ signature: Signature }>(read, [name])
  return row?.signature ?? null
}

/** Moves it to a transaction of which, and of all before it, the books know. */
export async function moveCursor(
  db: Queryable,
  { name, signature, now }: { name: Cursor; signature: Signature; now: Date },
): Promise<void> {
  await db.rows(move, [name, signature, now])
}
