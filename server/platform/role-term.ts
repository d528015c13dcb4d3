import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, isDatabaseUnavailable, type Queryable, rowOf, sql } from './db/db.ts'
import type { Log } from './log.ts'

/** The roles of which only one process may work. */
export type ExclusiveRole = 'signer' | 'watcher'

/** The right of one process to do the work of a role. Nobody else gets it while it is renewed. */
export type RoleTerm = {
  number: bigint
  /**
   * Throws a `TermLostError` once another process has taken over or the database has lost commits, and after a time without
   * renewals in which both can have happened.
   */
  check(on: Queryable): Promise<void>
  /**
   * Checks the term and renews it at once. If the database loses an earlier commit, it also loses this renewal, and every
   * later check notices that. Rejects like `check`.
   */
  renew(): Promise<void>
  /** A database whose transactions and statements check the term first. A process that lost it can write nothing. */
  fence(db: Db): Db
  /** Resolves once another process has taken over, the database has lost commits, or a check has failed. */
  lost: Promise<void>
  /** Stops renewing. With `release`, the next process need not wait. */
  end(options: { release: boolean }): Promise<void>
}

export class TermLostError extends Error {
  constructor(role: ExclusiveRole) {
    super(
      `another ${role} has taken over, or the database has lost commits or was out of reach, so this one writes nothing`,
    )
    this.name = 'TermLostError'
  }
}

type TakeTermOptions = {
  db: Db
  role: ExclusiveRole
  /** Names the place of the process. Its predecessor in the same place has ended, so nothing is waited for. */
  holder: string
  log: Log
  signal?: AbortSignal
  /** Called once another process was seen to renew its term: this one may wait for as long as that one works. */
  onStandBy?(): void
  timing?: Timing
}

type Timing = { renewMs: number; pollMs: number; staleMs: number }

// A process that is paused, cut off or dead stops renewing. Another takes over when it has seen no renewal for this long,
// by its own clock, so the clocks of the machines need not agree.
const TIMING: Timing = { renewMs: 1_500, pollMs: 500, staleMs: 6_000 }

type TermRow = { term: bigint; holder: string; instance: string; renewals: bigint; released: boolean }

const readTerm = sql({
  name: 'terms-read',
  params: { role: 'text' },
  row: rowOf<TermRow>(),
  text: ({ role }) =>
    `select term, holder, instance::text, renewals, released from role_terms where role = ${role}`,
})

const insertTerm = sql({
  name: 'terms-insert',
  params: { role: 'text', holder: 'text', instance: 'uuid' },
  text: ({ role, holder, instance }) =>
    `insert into role_terms (role, term, holder, instance) values (${role}, 1, ${holder}, ${instance})
     on conflict do nothing`,
})

const takeOver = sql({
  name: 'terms-take-over',
  params: { role: 'text', holder: 'text', instance: 'uuid', term: 'bigint', renewals: 'bigint' },
  text: ({ role, holder, instance, term, renewals }) =>
    `update role_terms set term = term + 1, holder = ${holder}, instance = ${instance}, renewals = 0, released = false
     where role = ${role} and term = ${term} and renewals = ${renewals}`,
})

const OWN = { role: 'text', term: 'bigint', instance: 'uuid' } as const

const renew = sql({
  name: 'terms-renew',
  params: { ...OWN, renewals: 'bigint', released: 'boolean' },
  row: rowOf<{ renewals: bigint }>(),
  text: ({ role, term, instance, renewals, released }) =>
    `update role_terms set renewals = renewals + 1, released = ${released}
     where role = ${role} and term = ${term} and instance = ${instance} and renewals >= ${renewals} returning renewals`,
})

// The lock makes a take-over wait until this transaction has ended.
const lockTerm = sql({
  name: 'terms-lock',
  params: { ...OWN, renewals: 'bigint' },
  row: rowOf<object>(),
  text: ({ role, term, instance, renewals }) =>
    `select term from role_terms where role = ${role} and term = ${term} and instance = ${instance}
       and renewals >= ${renewals} for share`,
})

/** Waits until no other process does the work of the role, and takes its term. */
export async function takeTerm({ timing = TIMING, ...options }: TakeTermOptions): Promise<RoleTerm> {
  const instance = randomUUID()
  const number = await waitForTerm({ ...options, timing, instance })
  const { db, role, log } = options
  const own = { role, term: number, instance }
  const lost = Promise.withResolvers<void>()
  // As the database has confirmed them. If it shows fewer, it has lost commits: a standby that was behind was promoted, or a
  // backup was restored. What this process remembers may then be missing in the database, for example a payout.
  let confirmed = 0n
  // When the last confirmed renewal was sent. Until `staleMs` later nobody has taken over. After that, another may have taken
  // over on a primary that this process could not reach, and a standby that was behind, once promoted, shows no trace of it.
  let renewedAtMs = performance.now()
  let wasStale = false
  const isStaleNow = (): boolean => performance.now() - renewedAtMs >= timing.staleMs
  const lose = (): never => {
    lost.resolve()
    throw new TermLostError(role)
  }
  const requireRecent = (): void => {
    if (wasStale || isStaleNow()) lose()
  }
  const ownRow = <Row>([row]: Row[]): Row => row ?? lose()
  const check = async (on: Queryable): Promise<void> => {
    ownRow(await on.rows(lockTerm, { ...own, renewals: confirmed }))
    requireRecent()
  }
  const renewNow = async (): Promise<void> => {
    const sentAtMs = performance.now()
    // Only a transaction notices that no standby has confirmed its commit.
    const renewed = db.transaction((tx) => tx.rows(renew, { ...own, renewals: confirmed, released: false }))
    const { renewals } = ownRow(await renewed)
    if (renewals > confirmed) confirmed = renewals
    // A later renewal does not hide it.
    wasStale ||= isStaleNow()
    renewedAtMs = Math.max(renewedAtMs, sentAtMs)
  }
  const stopping = new AbortController()
  const renewRepeatedly = async () => {
    while (!stopping.signal.aborted) {
      await sleep(timing.renewMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return
      try {
        await renewNow()
      } catch (error) {
        if (error instanceof TermLostError) return
        // Every write checks the term, so a renewal that is late does no harm.
        if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'the term of the role was not renewed')
      }
    }
  }
  const renewing = renewRepeatedly()
  log.info({ term: String(number) }, `this ${role} does the work of the role`)
  return {
    number,
    check,
    async renew() {
      await renewNow()
      requireRecent()
    },
    fence: (fenced) => fenceDb(fenced, check),
    lost: lost.promise,
    async end({ release }) {
      stopping.abort()
      await renewing
      if (release) await db.rows(renew, { ...own, renewals: 0n, released: true }).catch(() => undefined)
    },
  }
}

/**
 * Starts the work of a term. If that fails, it releases the term: a service manager starts the process again before another has
 * waited for long enough, and it would take the term each time and fail.
 */
export async function startWork<Running>(
  term: RoleTerm,
  start: (term: RoleTerm) => Promise<Running>,
): Promise<Running> {
  try {
    return await start(term)
  } catch (error) {
    if (!(error instanceof TermLostError)) await term.end({ release: true })
    throw error
  }
}

function fenceDb(db: Db, check: RoleTerm['check']): Db {
  return {
    rows: (statement, ...params) =>
      db.transaction(async (tx) => {
        const [, rows] = await Promise.all([check(tx), tx.rows(statement, ...params)])
        return rows
      }),
    // Before the work, which may also write to files.
    transaction: (work) =>
      db.transaction(async (tx) => {
        await check(tx)
        return work(tx)
      }),
    end: () => db.end(),
  }
}

type Waiting = Required<Pick<TakeTermOptions, 'timing'>> &
  Omit<TakeTermOptions, 'timing'> & { instance: string }

async function waitForTerm(options: Waiting): Promise<bigint> {
  const { db, role, holder, instance, log, signal, onStandBy, timing } = options
  let seen: { row: TermRow; sinceMs: number } | null = null
  let isStandingBy = false
  const standBy = (working: string): void => {
    if (isStandingBy) return
    isStandingBy = true
    log.warn({ holder: working }, `another ${role} works; this one stands by`)
    onStandBy?.()
  }
  for (;;) {
    signal?.throwIfAborted()
    const [row] = await db.rows(readTerm, { role }).catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error
      // What could not be read may have been renewed meanwhile.
      seen = null
      return [null]
    })
    if (row?.instance === instance) return row.term
    const nowMs = performance.now()
    if (row && (seen?.row.term !== row.term || seen.row.renewals !== row.renewals)) {
      if (seen) standBy(row.holder)
      seen = { row, sinceMs: nowMs }
    }
    const isFree = row && (row.released || row.holder === holder)
    const isStale = row && seen !== null && nowMs - seen.sinceMs >= timing.staleMs
    let hasAnswered = false
    if (row === undefined) hasAnswered = await tryWrite(db.rows(insertTerm, { role, holder, instance }))
    else if (isFree || isStale)
      hasAnswered = await tryWrite(db.rows(takeOver, { ...row, role, holder, instance }))
    // A database that refuses writes, for example on a full disk, may still answer reads.
    if (!hasAnswered) await sleep(timing.pollMs, undefined, { signal }).catch(() => undefined)
  }
}

/** False if the database did not answer. It may have written nevertheless: the next read shows that. */
const tryWrite = (writing: Promise<unknown>): Promise<boolean> =>
  writing.then(
    () => true,
    (error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error
      return false
    },
  )
