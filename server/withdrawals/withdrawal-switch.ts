import { sql, type Tx } from '#server/platform/db/db.ts'

const PAUSED = 'withdrawals_paused'

const readPaused = sql(
  'withdrawals-read-paused',
  `select value ->> 'why' as why, at as since from settings where name = $1`,
)

const pause = sql(
  'withdrawals-pause',
  `insert into settings (name, value, at) values ($1, jsonb_build_object('why', $2::text), $3)
   on conflict (name) do update
     set value = jsonb_build_object('why', (settings.value ->> 'why') || ' And: ' || $2::text)
     where strpos(settings.value ->> 'why', $2::text) = 0`,
)

const resume = sql('withdrawals-resume', 'delete from settings where name = $1')

export type Pause = { why: string; since: Date }

/** Why and since when withdrawals are kept back; null while they go out. */
export async function readPause(db: Tx): Promise<Pause | null> {
  return (await db.rows<Pause>(readPaused, [PAUSED]))[0] ?? null
}

/** True while the operator, or the signer that found something wrong, keeps withdrawals back. */
export async function withdrawalsPaused(db: Tx): Promise<boolean> {
  return (await readPause(db)) !== null
}

/**
 * Pauses withdrawals until the operator resumes them; only the owner and the signer may. What is paused already gets one
 * more reason, so that whoever resumes has read all of them.
 */
export async function pauseWithdrawals(db: Tx, { why, now }: { why: string; now: Date }): Promise<void> {
  await db.rows(pause, [PAUSED, why, now])
}

/** Lets withdrawals go out again; only the owner may. */
export async function resumeWithdrawals(db: Tx): Promise<void> {
  await db.rows(resume, [PAUSED])
}
