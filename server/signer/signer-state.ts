import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'

const NAME = 'signer_state'

/** A signer that has written no state for this long counts as not running. */
const LONGEST_SILENCE_MS = 2 * 60_000

const writeState = sql({
  name: 'signer-write-state',
  params: { name: 'text', value: 'jsonb', at: 'timestamptz' },
  text: ({ name, value, at }) => `insert into settings (name, value, at) values (${name}, ${value}, ${at})
    on conflict (name) do update set value = excluded.value, at = excluded.at`,
})

const readState = sql({
  name: 'signer-read-state',
  params: { name: 'text' },
  row: rowOf<{ value: { stage: SignerStage; startedAt: string }; at: Date }>(),
  text: ({ name }) => `select value, at from settings where name = ${name}`,
})

/** What the signer must finish before it signs new payouts: renew lanes, reconcile the history. `ready`: it signs. */
export type SignerStage = 'lanes' | 'history' | 'ready'

export type SignerState = { stage: SignerStage; startedAt: Date; at: Date; silent: boolean }

/** Records how far the signer has come since it started. */
export async function recordSignerState(
  db: Queryable,
  { stage, startedAt, now }: { stage: SignerStage; startedAt: Date; now: Date },
): Promise<void> {
  await db.rows(writeState, { name: NAME, value: { stage, startedAt: startedAt.toISOString() }, at: now })
}

/** The state that the signer recorded last; null if no signer has ever run on this database. */
export async function readSignerState(db: Queryable, now: Date): Promise<SignerState | null> {
  const [row] = await db.rows(readState, { name: NAME })
  if (!row) return null
  const silent = now.getTime() - row.at.getTime() > LONGEST_SILENCE_MS
  return { stage: row.value.stage, startedAt: new Date(row.value.startedAt), at: row.at, silent }
}
