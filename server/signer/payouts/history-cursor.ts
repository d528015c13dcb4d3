import type { HistoryItem, Signature } from '#server/chain/port.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'

/** The newest transaction up to which a history is reconciled. `slot` is null if an earlier release has stored it. */
export type HistoryCursor = { signature: Signature; slot: bigint | null }

const read = sql({
  name: 'history-cursor-read',
  params: { name: 'text' },
  row: rowOf<HistoryCursor>(),
  text: ({ name }) =>
    `select value ->> 'signature' as signature, (value ->> 'slot')::bigint as slot
     from settings where name = ${name}`,
})

const move = sql({
  name: 'history-cursor-move',
  params: { name: 'text', value: 'jsonb', at: 'timestamptz' },
  text: ({ name, value, at }) => `insert into settings (name, value, at) values (${name}, ${value}, ${at})
    on conflict (name) do update set value = excluded.value, at = excluded.at`,
})

/** One cursor for each purpose for which the treasury's history is read. */
type Purpose = 'payouts_read_to' | 'sweeps_read_to'

/** The cursor of the treasury's history; null if nothing was read yet. */
export async function readCursor(db: Queryable, name: Purpose): Promise<HistoryCursor | null> {
  const [row] = await db.rows(read, { name })
  return row ?? null
}

/** Moves the cursor to a transaction. It and all older ones must be reconciled. */
export async function moveCursor(
  db: Queryable,
  { name, to, now }: { name: Purpose; to: Pick<HistoryItem, 'signature' | 'slot'>; now: Date },
): Promise<void> {
  const value = { signature: to.signature, slot: String(to.slot) }
  await db.rows(move, { name, value, at: now })
}
