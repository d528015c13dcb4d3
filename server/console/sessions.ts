import { createToken, hashToken } from '#server/account/session-token.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Db, type Queryable, rowOf, sql, type Tx } from '#server/platform/db/db.ts'
import { hasPassed } from '#server/platform/has-passed.ts'

const IDLE_MS = 30 * 60_000
const ABSOLUTE_MS = 8 * 3_600_000

/** `seen_at` may be this old before it is written again. */
const TOUCH_INTERVAL_MS = 10_000

/** A session of an operator. */
export type ConsoleSession = { tokenHash: Buffer; wallet: string; endsAt: Date; idleAt: Date }

const open = sql({
  name: 'console-open-session',
  params: { tokenHash: 'bytea', wallet: 'text', now: 'timestamptz' },
  text: ({ tokenHash, wallet, now }) =>
    `insert into console_sessions (token_hash, wallet, created_at, seen_at)
     values (${tokenHash}, ${wallet}, ${now}, ${now})`,
})

const find = sql({
  name: 'console-find-session',
  params: { tokenHash: 'bytea' },
  row: rowOf<{ wallet: string; createdAt: Date; seenAt: Date }>(),
  text: ({ tokenHash }) =>
    `select wallet, created_at as "createdAt", seen_at as "seenAt" from console_sessions
     where token_hash = ${tokenHash} and ended_at is null`,
})

const touch = sql({
  name: 'console-touch-session',
  params: { tokenHash: 'bytea', now: 'timestamptz' },
  text: ({ tokenHash, now }) =>
    `update console_sessions set seen_at = ${now} where token_hash = ${tokenHash} and seen_at < ${now}`,
})

const end = sql({
  name: 'console-end-session',
  params: { tokenHash: 'bytea', now: 'timestamptz' },
  text: ({ tokenHash, now }) =>
    `update console_sessions set ended_at = ${now} where token_hash = ${tokenHash} and ended_at is null`,
})

const removeOld = sql({
  name: 'console-remove-old-sessions',
  params: { before: 'timestamptz' },
  text: ({ before }) => `delete from console_sessions where created_at < ${before}`,
})

const endsOf = (createdAt: Date, seenAt: Date) => ({
  endsAt: new Date(createdAt.getTime() + ABSOLUTE_MS),
  idleAt: new Date(seenAt.getTime() + IDLE_MS),
})

/** Opens a session in the transaction of the login. Only the hash of its token is stored. */
export function openSession(tx: Tx, { wallet, now }: { wallet: string; now: Date }) {
  const token = createToken()
  // The table stays as small as the logins of one day.
  tx.send(removeOld, { before: new Date(now.getTime() - ABSOLUTE_MS) })
  tx.send(open, { tokenHash: hashToken(token), wallet, now })
  return { token, ...endsOf(now, now) }
}

/**
 * The session of a token, or null if it has ended, was idle for 30 minutes, or is older than eight hours. It is read from the
 * database on each call. With `isUse`, the call counts as use.
 */
export async function findSession(
  { db, clock }: { db: Db; clock: Clock },
  token: string,
  { isUse }: { isUse: boolean },
): Promise<ConsoleSession | null> {
  const now = clock.now()
  const tokenHash = hashToken(token)
  const [row] = await db.rows(find, { tokenHash })
  if (!row) return null
  const { createdAt, seenAt } = row
  if (hasPassed(ABSOLUTE_MS, { from: createdAt, now }) || hasPassed(IDLE_MS, { from: seenAt, now })) {
    // What was refused once stays ended, also when the clock is set back.
    await db.rows(end, { tokenHash, now })
    return null
  }
  const isStale = now.getTime() - seenAt.getTime() >= TOUCH_INTERVAL_MS
  if (isUse && isStale) await db.rows(touch, { tokenHash, now })
  return { tokenHash, wallet: row.wallet, ...endsOf(createdAt, isUse ? now : seenAt) }
}

export async function endSession(
  db: Queryable,
  { tokenHash, now }: { tokenHash: Buffer; now: Date },
): Promise<void> {
  await db.rows(end, { tokenHash, now })
}
