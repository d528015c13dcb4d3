import { type Queryable, rowOf, sql, type Tx } from '#server/platform/db/db.ts'

const PAUSED = 'withdrawals_paused'

/** The id changes with each pause that follows, also for the same reason. A signed act names the pause that it lifts. */
export type Pause = { id: string; why: string; since: Date }

// Watcher and console choose the time and the reason. The database stores a time that JavaScript can represent, and no reason
// as an empty one. A pause of 0.1.0 may have none, at which the check of the reserve would fail.
const COLUMNS = `value ->> 'id' as id, coalesce(value ->> 'why', '') as why, at as since`

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
 * pause adds its reason, so that the operator sees every reason before resuming, and changes the id: the same reason may have
 * another cause.
 */
export async function pauseWithdrawals(
  db: Queryable,
  { why, now }: { why: string; now: Date },
): Promise<void> {
  await db.rows(pause, { why, now })
}

/**
 * Pauses withdrawals for an operator, unless they are paused: then it returns that pause, and the caller rolls back. Of
 * operators who pause at once the second waits for the first, and for nobody else: an act of the signer may take long, and
 * any login of the database can take an advisory lock for ever.
 */
export async function pauseUnlessPaused(
  tx: Tx,
  { why, now }: { why: string; now: Date },
): Promise<Pause | null> {
  const before = await readPause(tx)
  if (before) return before
  await pauseWithdrawals(tx, { why, now })
  const after = await readPause(tx)
  if (!after || after.why === why) return null
  // Another was first after all, and this reason was added to theirs.
  const added = ` And: ${why}`
  return after.why.endsWith(added) ? { ...after, why: after.why.slice(0, -added.length) } : after
}

/** Resumes withdrawals. Requires the login of owner or signer. */
export async function resumeWithdrawals(db: Queryable): Promise<void> {
  await db.rows(resume, { name: PAUSED })
}
