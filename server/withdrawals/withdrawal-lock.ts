import type { ReplyOf } from '#contract/route.ts'
import type { setWithdrawalLock } from '#contract/withdrawal-lock.ts'
import { type ActionRequest, runOnce } from '#server/actions/run-once.ts'
import { type AnswerOf, granted, refused } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Queryable, rowOf, rowset, sql, type Tx } from '#server/platform/db/db.ts'

const HOUR_MS = 3_600_000

/** A lock as it holds now: how long unlocking takes, 0 without a lock, and what follows once that was asked for. */
export type Lock = { hours: number; next: { hours: number; at: Date } | null }

type LockRow = {
  wallet: string
  hours: number
  nextHours: number | null
  nextAt: Date | null
  changedAt: Date
}

const NO_LOCK: Lock = { hours: 0, next: null }

const readLocksOf = sql({
  name: 'locks-read',
  params: { wallets: 'text[]' },
  row: rowOf<LockRow>(),
  text: ({
    wallets,
  }) => `select wallet, hours, next_hours as "nextHours", next_at as "nextAt", changed_at as "changedAt"
    from withdrawal_locks where wallet = any(${wallets})`,
})

const writeLocks = sql({
  name: 'locks-write',
  params: {
    changed: rowset({
      wallet: 'text',
      hours: 'integer',
      next_hours: 'integer | null',
      next_at: 'timestamptz | null',
      changed_at: 'timestamptz',
    }),
  },
  text: ({ changed }) => `insert into withdrawal_locks (wallet, hours, next_hours, next_at, changed_at)
    select wallet, hours, next_hours, next_at, changed_at from ${changed}
    on conflict (wallet) do update set hours = excluded.hours, next_hours = excluded.next_hours,
      next_at = excluded.next_at, changed_at = excluded.changed_at`,
})

/** The locks of wallets that have one, at this time. Exact only while their ledger accounts are locked. */
export async function readLocks(
  db: Queryable,
  wallets: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Lock>> {
  const rows = await db.rows(readLocksOf, { wallets: [...new Set(wallets)] })
  return new Map(rows.map((row) => [row.wallet, lockAt(row, now)]))
}

export async function readLock(db: Queryable, wallet: string, now: Date): Promise<Lock> {
  return (await readLocks(db, [wallet], now)).get(wallet) ?? NO_LOCK
}

function lockAt({ hours, nextHours, nextAt }: LockRow, now: Date): Lock {
  if (nextHours === null || nextAt === null) return { hours, next: null }
  return nextAt <= now ? { hours: nextHours, next: null } : { hours, next: { hours: nextHours, at: nextAt } }
}

/**
 * The lock after a player has asked for `hours`. A lock that is as strong or stronger holds at once and takes back what
 * was asked before. A weaker one follows when the hours of the present lock have passed. Asking again does not restart
 * them.
 */
export function changeLock(lock: Lock, hours: number, now: Date): Lock {
  if (hours >= lock.hours) return { hours, next: null }
  if (lock.next?.hours === hours) return lock
  return { hours: lock.hours, next: { hours, at: new Date(now.getTime() + lock.hours * HOUR_MS) } }
}

/** Refuses a withdrawal during a lock, with the earliest time at which it can be requested; null if there is no lock. */
export function refuseLocked(lock: Lock | undefined, now: Date) {
  if (!lock || lock.hours === 0) return null
  const { next, hours } = lock
  // Whoever has asked for a weaker lock may be faster by waiting for it and unlocking that one.
  const ends = [now.getTime() + hours * HOUR_MS]
  if (next) ends.push(next.at.getTime() + next.hours * HOUR_MS)
  const until = new Date(Math.min(...ends))
  const opens = `on ${until.toISOString().slice(0, 16).replace('T', ' at ')} UTC`
  return refused('withdrawals_locked', { until: until.toISOString(), opens, hours })
}

export type LockRequest = ActionRequest & { hours: number }

/** Changes the locks of wallets: many requests in, one answer each. Nothing here makes a lock weaker before its time. */
export function setLocks(
  tx: Tx,
  requests: readonly LockRequest[],
  clock: Clock,
): Promise<AnswerOf<typeof setWithdrawalLock>[]> {
  return runOnce(tx, requests, clock, async (_ledger, fresh, now) => {
    const wallets = fresh.map(({ wallet }) => wallet)
    const rows = await tx.rows(readLocksOf, { wallets: [...new Set(wallets)] })
    const locks = new Map(rows.map((row) => [row.wallet, lockAt(row, now)]))
    const before = new Map(locks)
    // No change is earlier than the one before, also when the clock was set back: the hours of a lock count from it.
    const changedAt = new Map(rows.map((row) => [row.wallet, row.changedAt > now ? row.changedAt : now]))
    for (const { wallet, hours } of fresh)
      locks.set(wallet, changeLock(locks.get(wallet) ?? NO_LOCK, hours, changedAt.get(wallet) ?? now))
    const changed = [...locks]
      .filter(([wallet, lock]) => lock !== before.get(wallet))
      .map(([wallet, { hours, next }]) => {
        const times = { next_at: next?.at ?? null, changed_at: changedAt.get(wallet) ?? now }
        return { wallet, hours, next_hours: next?.hours ?? null, ...times }
      })
    if (changed.length > 0) tx.send(writeLocks, { changed })
    return fresh.map(({ wallet }) =>
      granted<ReplyOf<typeof setWithdrawalLock>>({ success: true, lock: toLockView(locks.get(wallet)!) }),
    )
  })
}

/** A lock as its player sees it. */
export const toLockView = ({ hours, next }: Lock): ReplyOf<typeof setWithdrawalLock>['lock'] => ({
  hours,
  next: next && { hours: next.hours, at: next.at.toISOString() },
})
