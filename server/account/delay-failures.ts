import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { refuse, Refused } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import { isUnavailable } from '#server/platform/unavailable-error.ts'

/** Where a login comes from, and for which wallet. */
type Origin = { caller: string; wallet: string }

/** Runs a login. If it is refused, the answer waits. */
export type DelayFailures = <Answer>(origin: Origin, login: () => Promise<Answer>) => Promise<Answer>

// Many players share an address, and few of them fail. A wallet belongs to one player.
const FREE_FAILURES = { caller: 20, wallet: 5 }

/** One failure is forgotten in this time, and all of them in ten minutes. */
const FORGET_SECONDS = 10
const MAX_COUNTED = 60

const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 4_000

/** How many answers of this process may wait at once. More are refused immediately. */
const MAX_WAITING = 1_000

// Sorted, so that two failures lock the rows in the same order. The clocks of processes differ a little.
const addFailures = sql({
  name: 'login-add-failures',
  params: { names: 'bytea[]', now: 'timestamptz', forget: 'integer', max: 'integer' },
  row: rowOf<{ name: Buffer; count: number }>(),
  text: ({ names, now, forget, max }) =>
    `insert into login_failures as f (name, count, at)
     select name, 1, ${now} from unnest(${names}) as name order by name
     on conflict (name) do update set at = greatest(f.at, excluded.at), count = least(${max},
       1 + greatest(0, f.count - greatest(0, extract(epoch from excluded.at - f.at)) / ${forget}))
     returning name, count`,
})

/** Addresses and wallets are stored as hashes. */
const nameOf = (text: string): Buffer => Buffer.from(hash('sha256', text, 'hex').slice(0, 32), 'hex')

/**
 * Answers failed logins late, and later with each further failure of the same address or wallet at any api process, up to
 * 4 s. A correct signature is answered at once, whatever others at its address or for its wallet have sent, so nobody can
 * lock a player out. Refuses with too_many_requests if too many answers wait.
 */
export function createFailureDelay({
  db,
  clock,
  wait = (ms) => sleep(ms),
}: {
  db: Db
  clock: Clock
  wait?: ((ms: number) => Promise<void>) | undefined
}): DelayFailures {
  let waiting = 0

  /** By how many failures this one exceeds what is free. */
  const countFailure = async ({ caller, wallet }: Origin): Promise<number> => {
    const free = [
      { name: nameOf(`caller ${caller}`), failures: FREE_FAILURES.caller },
      { name: nameOf(`wallet ${wallet}`), failures: FREE_FAILURES.wallet },
    ]
    const counted = await db.rows(addFailures, {
      names: free.map(({ name }) => name),
      now: clock.now(),
      forget: FORGET_SECONDS,
      max: MAX_COUNTED,
    })
    const excess = free.map(({ name, failures }) => {
      const row = counted.find((each) => each.name.equals(name))
      return (row?.count ?? 0) - failures
    })
    return Math.max(...excess)
  }

  return async (origin, login) => {
    try {
      return await login()
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      // Without the database nobody can log in, and the failures of others are unknown.
      const excess = await countFailure(origin).catch((failure: unknown) => {
        if (isUnavailable(failure)) return MAX_COUNTED
        throw failure
      })
      if (excess <= 0) throw error
      if (waiting >= MAX_WAITING) refuse('too_many_requests', { seconds: MAX_DELAY_MS / 1_000 })
      waiting += 1
      await wait(Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (excess - 1))).finally(() => (waiting -= 1))
      throw error
    }
  }
}
