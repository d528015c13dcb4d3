import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { refuse, Refused } from '#server/platform/answer.ts'
import { createBatcher } from '#server/platform/batcher.ts'
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

/** Less than MAX_COUNTED, so that a batch that fills the count began above what is free for a wallet. */
const MAX_BATCH_SIZE = 50

const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 4_000

/** How many answers of this process may wait at once. More are refused immediately. */
const MAX_WAITING = 1_000

// Sorted, so that two failures lock the rows in the same order. The clocks of processes differ a little.
const addFailures = sql({
  name: 'login-add-failures',
  params: { names: 'bytea[]', added: 'integer[]', now: 'timestamptz', forget: 'integer', max: 'integer' },
  row: rowOf<{ name: Buffer; count: number }>(),
  text: ({ names, added, now, forget, max }) =>
    `insert into login_failures as f (name, count, at)
     select name, least(${max}, added), ${now} from unnest(${names}, ${added}) as of (name, added) order by name
     on conflict (name) do update set at = greatest(f.at, excluded.at), count = least(${max},
       excluded.count + greatest(0, f.count - greatest(0, extract(epoch from excluded.at - f.at)) / ${forget}))
     returning name, count`,
})

/** Addresses and wallets are stored as hashes. */
const nameOf = (text: string): string => hash('sha256', text, 'hex').slice(0, 32)

/** The names that a failure counts for, and how many failures of each are free. */
const limitsOf = ({ caller, wallet }: Origin): { name: string; free: number }[] => [
  { name: nameOf(`caller ${caller}`), free: FREE_FAILURES.caller },
  { name: nameOf(`wallet ${wallet}`), free: FREE_FAILURES.wallet },
]

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

  // In one statement at a time: many failures for one wallet would otherwise wait for its row on every connection.
  const countFailure = createBatcher<Origin, number>({
    conflictKeyOf: () => null,
    maxBatchSize: MAX_BATCH_SIZE,
    async run(origins) {
      const all = origins.map(limitsOf)
      const added = new Map<string, number>()
      for (const { name } of all.flat()) added.set(name, (added.get(name) ?? 0) + 1)
      const rows = await db.rows(addFailures, {
        names: [...added.keys()].map((name) => Buffer.from(name, 'hex')),
        added: [...added.values()],
        now: clock.now(),
        forget: FORGET_SECONDS,
        max: MAX_COUNTED,
      })
      const counts = new Map(rows.map(({ name, count }) => [name.toString('hex'), count]))
      // The first failure of a batch does not count the later ones.
      const before = new Map([...added].map(([name, times]) => [name, (counts.get(name) ?? 0) - times]))
      return all.map((limits) => {
        const excess = limits.map(({ name, free }) => {
          const isFull = counts.get(name) === MAX_COUNTED
          const count = Math.max(before.get(name)!, isFull ? free : 0) + 1
          before.set(name, count)
          return count - free
        })
        return { value: Math.max(...excess) }
      })
    },
  })

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
