import { sql, type Tx } from '#server/platform/db/db.ts'

const PAUSED = 'withdrawals_paused'

const readPaused = sql('withdrawals-read-paused', 'select from settings where name = $1')

const pause = sql(
  'withdrawals-pause',
  `insert into settings (name, value, at) values ($1, jsonb_build_object('why', $2::text), $3) on conflict do nothing`,
)

/** True while the operator, or the signer that found something wrong, keeps withdrawals back. */
export async function withdrawalsPaused(db: Tx): Promise<boolean> {
  return (await db.rows(readPaused, [PAUSED])).length > 0
}

/** Pauses withdrawals until the operator resumes them; only the owner and the signer may. */
export async function pauseWithdrawals(db: Tx, { why, now }: { why: string; now: Date }): Promise<void> {
  await db.rows(pause, [PAUSED, why, now])
}
