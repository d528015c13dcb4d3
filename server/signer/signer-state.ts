import { type Queryable, sql } from '#server/platform/db/db.ts'

const NAME = 'signer_state'

/** A signer that has not written for so long is not running. */
const LONGEST_SILENCE_MS = 2 * 60_000

const writeState = sql(
  'signer-write-state',
  `insert into settings (name, value, at) values ($1, $2, $3)
   on conflict (name) do update set value = excluded.value, at = excluded.at`,
)

const read = sql('signer-read-state', 'select value, at from settings where name = $1')

/** What the signer still has to do before it signs new payouts; `ready` when it signs them. */
export type SignerStage = 'lanes' | 'history' | 'ready'

export type SignerState = { stage: SignerStage; startedAt: Date; at: Date; silent: boolean }

/** Writes down how far the signer has come since it started. */
export async function recordSignerState(
  db: Queryable,
  { stage, startedAt, now }: { stage: SignerStage; startedAt: Date; now: Date },
): Promise<void> {
  await db.rows(writeState, [NAME, JSON.stringify({ stage, startedAt: startedAt.toISOString() }), now])
}

/** How far the signer had come when it last wrote; null where none has ever run on these books. */
export async function readSignerState(db: Queryable, now: Date): Promise<SignerState | null> {
  const [row] = await db.rows<{ value: { stage: SignerStage; startedAt: string }; at: Date }>(read, [NAME])
  if (!row) return null
  const silent = now.getTime() - row.at.getTime() > LONGEST_SILENCE_MS
  return { stage: row.value.stage, startedAt: new Date(row.value.startedAt), at: row.at, silent }
}
