import { type Queryable, rowOf, sql, type Tx } from '#server/platform/db/db.ts'

const PAUSED = 'withdrawals_paused'

/** The id changes with each reason that is added. A signed act names the pause that it lifts. */
export type Pause = { id: string; why: string; since: Date }

const COLUMNS = `value ->> 'id' as id, value ->> 'why' as why, at as since`

const readPaused = sql({
  name: 'withdrawals-read-paused',
  params: { name: 'text' },
  row: rowOf<Pause>(),
  text: ({ name }) => `select ${COLUMNS} from settings where name = ${name}`,
})

const lockPaused = sql({
  name: 'withdrawals-lock-paused',
  params: { name: 'text' },
  row: rowOf<Pause>(),
  text: ({ name }) => `select ${COLUMNS} from settings where name = ${name} for update`,
})

const LOCK = 4_032_021

const lock = sql({
  name: 'withdrawals-lock-pause',
  params: { lock: 'bigint' },
  text: ({ lock }) => `select pg_advisory_xact_lock(${lock})`,
})

const pause = sql({
  name: 'withdrawals-pause',
  params: { why: 'text', now: 'timestamptz' },
  text: ({ why, now }) => `select pause_withdrawals(${why}, ${now})`,
})

const resume = sql({
  name: 'withdrawals-resume',
  params: { name: 'text' },
  text: ({ name }) => `delete from settings where name = ${name}`,
})

/** Why and since when withdrawals are paused; null if they are not. */
export async function readPause(db: Queryable): Promise<Pause | null> {
  return (await db.rows(readPaused, { name: PAUSED }))[0] ?? null
}

/** The same, and no reason is added until the transaction ends. Requires the login of owner or signer. */
export async function lockPause(tx: Tx): Promise<Pause | null> {
  return (await tx.rows(lockPaused, { name: PAUSED }))[0] ?? null
}

/** True while withdrawals are paused by the operator, the signer or the watcher. */
export async function withdrawalsPaused(db: Queryable): Promise<boolean> {
  return (await readPause(db)) !== null
}

/**
 * Pauses withdrawals until an operator resumes them. Requires the login of owner, signer, watcher or console. A second
 * pause adds its reason, so that the operator sees every reason before resuming.
 */
export async function pauseWithdrawals(
  db: Queryable,
  { why, now }: { why: string; now: Date },
): Promise<void> {
  await db.rows(pause, { why, now })
}

/**
 * Pauses withdrawals for an operator, unless they are paused: then it returns that pause and changes nothing. Of operators
 * who pause at once the second waits for the first, and for nobody else: an act of the signer may take long.
 */
export async function pauseUnlessPaused(
  tx: Tx,
  { why, now }: { why: string; now: Date },
): Promise<Pause | null> {
  await tx.rows(lock, { lock: BigInt(LOCK) })
  const before = await readPause(tx)
  if (!before) await pauseWithdrawals(tx, { why, now })
  return before
}

/** Resumes withdrawals. Requires the login of owner or signer. */
export async function resumeWithdrawals(db: Queryable): Promise<void> {
  await db.rows(resume, { name: PAUSED })
}
