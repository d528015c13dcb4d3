import { type Queryable, sql } from '#server/platform/db/db.ts'

const PAUSED = 'withdrawals_paused'

const readPaused = sql(
  'withdrawals-read-paused',
  `select value ->> 'why' as why, at as since from settings where name = $1`,
)

const pause = sql('withdrawals-pause', 'select pause_withdrawals($1, $2)')

const resume = sql('withdrawals-resume', 'delete from settings where name = $1')

export type Pause = { why: string; since: Date }

/** Why and since when withdrawals are kept back; null while they go out. */
export async function readPause(db: Queryable): Promise<Pause | null> {
  return (await db.rows<Pause>(readPaused, [PAUSED]))[0] ?? null
}

/** True while the operator, or the signer that found something wrong, keeps withdrawals back. */
export async function withdrawalsPaused(db: Queryable): Promise<boolean> {
  return (await readPause(db)) !== null
}

/**
 * Pauses withdrawals until the operator resumes them; only the owner, the signer and the watcher may. What is paused
 * already gets one more reason, so that whoever resumes has read all of them.
 */
export async function pauseWithdrawals(
  db: Queryable,
  { why, now }: { why: string; now: Date },
): Promise<void> {
  await db.rows(pause, [why, now])
}

/** Lets withdrawals go out again; only the owner may. */
export async function resumeWithdrawals(db: Queryable): Promise<void> {
  await db.rows(resume, [PAUSED])
}
