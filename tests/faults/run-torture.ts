import { setTimeout as sleep } from 'node:timers/promises'
import { auditBooks } from '#server/ops/audit-books.ts'
import { Refused } from '#server/platform/answer.ts'
import { type Db, isDatabaseUnavailable, openDb, rowOf, sql } from '#server/platform/db/db.ts'
import { createRandom, type Random } from '#tests/simulation/random.ts'
import type { FreshDatabase } from '#tests/support/database.ts'
import {
  type TortureRequest,
  createRequestGenerator,
  JOURNAL_KINDS,
  prepareTorture,
} from './torture-world.ts'

const CLIENTS = 64
/** What a run has to acknowledge. */
const ENOUGH = 100
/** Requests that are answered between two kills, unless that takes long: kills alone would only test the wait. */
const BETWEEN_KILLS = 5
const LONGEST_WAIT_MS = 2_000
const HOUR_MS = 3_600_000

/** What the clients observed, and how it compares with the ledger. */
export type Verdict = {
  submitted: number
  acknowledged: number
  refused: number
  resent: number
  unavailable: number
  poisoned: number
  backendsKilled: number
  crashes: number
  /** Acknowledged requests whose response the database does not have, or has differently. */
  missing: string[]
  /** Kinds of journals with more or fewer journals than idempotency keys. */
  duplicated: string[]
  /** Claims whose response has another amount than the ledger. */
  mismatched: string[]
  /** Milestones that were celebrated more or less often than granted. */
  miscelebrated: string[]
  /** Valid requests that failed with an unexpected error. */
  unexpectedFailures: string[]
  /** Resent requests with another response than the first. */
  differentAnswers: string[]
  /** Poisoned requests that succeeded. */
  poisonAccepted: string[]
  /** The findings of the audit. */
  findings: string[]
}

type Options = {
  seed: number
  durationMs: number
  /** Also kills backend processes with SIGKILL, after which Postgres restarts all of them and recovers. */
  crashes: boolean
  log(sentence: string): void
  /** Runs while the clients do, with the responses so far by key. The load continues until it is done. */
  alongside?(answers: ReadonlyMap<string, string>): Promise<void>
}

/** Runs many clients concurrently while database backends are killed, then compares the ledger with their responses. */
export async function runTorture(
  database: FreshDatabase,
  { seed, durationMs, crashes, log, alongside }: Options,
): Promise<Verdict> {
  const owner = openDb(database.directUrl, { max: 2, applicationName: 'torturer', allowFullScans: true })
  const db = openDb(database.urlFor('api'), { max: 6, applicationName: 'torture' })
  const random = createRandom(seed)
  let now = Date.parse('2026-01-05T12:00:00.000Z')
  const clock = { now: () => new Date(now) }
  const run = { on: true }
  const observed: Observations = {
    ...NO_OBSERVATIONS,
    answers: new Map(),
    unexpectedFailures: [],
    differentAnswers: [],
    poisonAccepted: [],
  }
  try {
    const next = createRequestGenerator(db, { random, clock, ...(await prepareTorture(owner, clock)) })
    const done: TortureRequest[] = []
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (run.on) {
        // Some requests are sent twice at once, and some again much later.
        const request = done.length > 0 && random.chance(0.05) ? random.pick(done) : next()
        const times = random.chance(0.1) ? 2 : 1
        if (times > 1 || observed.answers.has(keyNameOf(request))) observed.resent += 1
        await Promise.all(Array.from({ length: times }, () => submitUntilAnswered(request, observed)))
        if (!request.isPoison && done.length < 20_000) done.push(request)
      }
    })
    const from = performance.now()
    const counts = { backendsKilled: 0, crashes: 0 }
    const other = { isDone: false }
    const alongsideDone = Promise.resolve(alongside?.(observed.answers)).finally(() => (other.isDone = true))
    alongsideDone.catch(() => undefined)
    const isShort = () => {
      const tookMs = performance.now() - from
      const counted = { ...observed, ...counts, acknowledged: observed.answers.size }
      return tookMs < durationMs || (!wasExercised(counted, { crashes }) && tookMs < 10 * durationMs)
    }
    for (let round = 1; isShort() || !other.isDone; round++) {
      await waitBetweenKills(observed, random)
      now += HOUR_MS
      if (crashes && round % 120 === 0) counts.crashes += await crash(owner)
      else counts.backendsKilled += await killBackends(owner)
      if (round % 200 === 0)
        log(`${Math.round((performance.now() - from) / 1000)} s: ${observed.answers.size} done`)
    }
    run.on = false
    await Promise.all([...clients, alongsideDone])
    const { answers, ...counters } = observed
    return { ...counters, ...counts, acknowledged: answers.size, ...(await checkLedger(owner, observed)) }
  } finally {
    run.on = false
    await db.end()
    await owner.end()
  }
}

async function waitBetweenKills({ answers }: Observations, random: Random): Promise<void> {
  const until = performance.now() + LONGEST_WAIT_MS
  const from = answers.size
  await sleep(random.between(50, 250))
  while (answers.size < from + BETWEEN_KILLS && performance.now() < until) await sleep(20)
}

/** Whether nothing was lost, duplicated or failed unexpectedly, and enough faults occurred. */
export function hasPassed(verdict: Verdict, expected: Pick<Options, 'crashes'>): boolean {
  const { missing, duplicated, mismatched, miscelebrated, unexpectedFailures } = verdict
  const { differentAnswers, poisonAccepted, findings } = verdict
  const faults = [
    missing,
    duplicated,
    mismatched,
    miscelebrated,
    unexpectedFailures,
    differentAnswers,
    poisonAccepted,
    findings,
  ]
  const { unavailable, submitted, crashes } = verdict
  // Lost connections are retried inside the product. Only a recovery of Postgres takes long enough to be reported.
  if (crashes === 0 && unavailable > submitted / 20) return false
  return wasExercised(verdict, expected) && faults.every((each) => each.length === 0)
}

/** Whether there were enough requests and kills to judge. On a slow machine a run goes on until there were. */
function wasExercised(
  counts: Pick<Verdict, 'acknowledged' | 'resent' | 'poisoned' | 'backendsKilled' | 'crashes'>,
  expected: Pick<Options, 'crashes'>,
): boolean {
  const { acknowledged, resent, poisoned, backendsKilled, crashes } = counts
  if (expected.crashes && crashes === 0) return false
  return acknowledged > ENOUGH && backendsKilled > 3 && resent > 0 && poisoned > 0
}

/** The verdict as lines of text. */
export function formatVerdict(verdict: Verdict): string[] {
  return Object.entries(verdict).map(([name, value]) => {
    if (typeof value === 'number') return `${name}: ${value}`
    const some = value.slice(0, 3).join('; ')
    return `${name}: ${value.length}${some && ` (${some}${value.length > 3 ? ' …' : ''})`}`
  })
}

const NO_OBSERVATIONS = { submitted: 0, refused: 0, resent: 0, unavailable: 0, poisoned: 0 }

type Observations = typeof NO_OBSERVATIONS & {
  answers: Map<string, string>
  unexpectedFailures: string[]
  differentAnswers: string[]
  poisonAccepted: string[]
}

const keyNameOf = ({ wallet, key }: TortureRequest): string => `${wallet} ${key.route} ${key.key}`

/** Submits like the web app: if the database is unavailable, it retries with the same key. */
async function submitUntilAnswered(request: TortureRequest, observed: Observations): Promise<void> {
  const name = keyNameOf(request)
  for (;;) {
    observed.submitted += 1
    try {
      const answer = JSON.stringify(await request.submit())
      if (request.isPoison) observed.poisonAccepted.push(name)
      const before = observed.answers.get(name)
      if (before !== undefined && sorted(before) !== sorted(answer)) observed.differentAnswers.push(name)
      observed.answers.set(name, answer)
      return
    } catch (error) {
      if (isDatabaseUnavailable(error)) {
        observed.unavailable += 1
        await sleep(50)
        continue
      }
      if (error instanceof Refused) observed.refused += 1
      else if (request.isPoison) observed.poisoned += 1
      else observed.unexpectedFailures.push(`${request.kind}: ${String(error)}`)
      // An acknowledged request must not be refused later.
      if (error instanceof Refused && observed.answers.has(name))
        observed.differentAnswers.push(`${name}: ${error.message}`)
      return
    }
  }
}

const terminateBackends = sql({
  name: 'torture-kill',
  text: `select pg_terminate_backend(pid) from pg_stat_activity
   where application_name = 'torture' and datname = current_database()`,
})
const readPid = sql({
  name: 'torture-pid',
  row: rowOf<{ pid: number }>(),
  text: `select pid from pg_stat_activity where application_name = 'torture' and datname = current_database() limit 1`,
})

const killBackends = async (owner: Db): Promise<number> =>
  (await untilReached(() => owner.rows(terminateBackends))).length

async function crash(owner: Db): Promise<number> {
  const [row] = await untilReached(() => owner.rows(readPid))
  if (row) process.kill(row.pid, 'SIGKILL')
  return row ? 1 : 0
}

async function untilReached<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      await sleep(100)
    }
  }
}

const readStoredResponses = sql({
  name: 'torture-stored',
  row: rowOf<{ name: string; route: string; answer: object }>(),
  text: `select wallet || ' ' || route || ' ' || key as name, route, answer from idempotency_keys`,
})
const countMoves = sql({
  name: 'torture-moves',
  row: rowOf<{ kind: string; moves: bigint }>(),
  text: 'select kind::text, count(*) as moves from journals group by kind',
})

const findMismatched = sql({
  name: 'torture-mismatched',
  row: rowOf<object>(),
  text: `select wallet, at, (answer->>'claimedAmount')::numeric * 1000000 as amount from idempotency_keys
   where answer->>'claimedAmount' is not null
   except all
   select j.wallet, j.at, e.amount from journals j
   join entries e on e.journal_id = j.id and e.account = 'earned' where j.kind = 'claim'`,
})

// Each grant is in exactly one response.
const findMiscelebrated = sql({
  name: 'torture-miscelebrated',
  row: rowOf<object>(),
  text: `with celebrated as (
     select wallet, jsonb_array_elements_text(answer->'granted') as code from idempotency_keys where answer ? 'granted'
   ), granted as (select distinct wallet, code from milestones)
   (select 'celebrated again' as how, * from (select * from celebrated except all select * from granted) t)
   union all
   (select 'granted silently', * from (select * from granted except all select * from celebrated) g)`,
})

type LedgerVerdict = Pick<Verdict, 'missing' | 'duplicated' | 'mismatched' | 'miscelebrated' | 'findings'>

/** Compares a database with the responses that its clients got. */
export async function checkLedger(
  owner: Db,
  observed: { answers: ReadonlyMap<string, string> },
): Promise<LedgerVerdict> {
  const stored = await untilReached(() => owner.rows(readStoredResponses))
  const known = new Map(stored.map((row) => [row.name, sorted(JSON.stringify(row.answer))]))
  const missing = [...observed.answers].filter(([name, answer]) => known.get(name) !== sorted(answer))
  const moves = await owner.rows(countMoves)
  const duplicated = ['claim', 'hire', 'parcel', 'resale'].flatMap((move) => {
    const keys = stored.filter(
      ({ route }) => JOURNAL_KINDS[route.split('/')[2] as keyof typeof JOURNAL_KINDS] === move,
    ).length
    const booked = Number(moves.find((row) => row.kind === move)?.moves ?? 0)
    return booked === keys ? [] : [`${booked} journals of kind ${move} for ${keys} keys`]
  })
  const findings = (await auditBooks(owner)).map((finding) => JSON.stringify(finding))
  const mismatched = (await owner.rows(findMismatched)).map((row) => JSON.stringify(row))
  const miscelebrated = (await owner.rows(findMiscelebrated)).map((row) => JSON.stringify(row))
  return { missing: missing.map(([name]) => name), duplicated, mismatched, miscelebrated, findings }
}

/** The same fields in any order. */
function sorted(json: string): string {
  return JSON.stringify(JSON.parse(json), (_name, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}
