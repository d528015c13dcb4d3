import type { Signature } from '#server/chain/port.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'

const read = sql({
  name: 'history-cursor-read',
  params: { name: 'text' },
  row: rowOf<{ signature: Signature }>(),
  text: ({ name }) => `select value ->> 'signature' as signature from settings where name = ${name}`,
})

const move = sql({
  name: 'history-cursor-move',
  params: { name: 'text', value: 'jsonb', at: 'timestamptz' },
  text: ({ name, value, at }) => `insert into settings (name, value, at) values (${name}, ${value}, ${at})
    on conflict (name) do update set value = excluded.value, at = excluded.at`,
})

/** One cursor for each purpose for which the treasury's history is read. */
type Cursor = 'payouts_read_to' | 'sweeps_read_to'

/** The newest transaction up to which the treasury's history is reconciled; null if nothing was read yet. */
export async function readCursor(db: Queryable, name: Cursor): Promise<Signature | null> {
  const [row] = await db.rows(read, { name })
  return row?.signature ?? null
}

/** Moves the cursor. The transaction and all older ones must be reconciled. */
export async function moveCursor(
  db: Queryable,
  { name, signature, now }: { name: Cursor; signature: Signature; now: Date },
): Promise<void> {
  await db.rows(move, { name, value: { signature }, at: now })
}
