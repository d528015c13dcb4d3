import { setTimeout as sleep } from 'node:timers/promises'
import { auditBooks } from '#server/ops/audit-books.ts'
import { Refused } from '#server/platform/answer.ts'
import { type Db, isUnavailable, openDb, sql } from '#server/platform/db/db.ts'
import { randomOf } from '#tests/simulation/random.ts'
import type { FreshDatabase } from '#tests/support/database.ts'
import { type Deed, deedsOf, MOVES, openTorture } from './torture-world.ts'

const CLIENTS = 64
const HOUR_MS = 3_600_000

/** What was seen, and what the books say of it. */
export type Verdict = {
  asked: number
  acknowledged: number
  refused: number
  resent: number
  outOfReach: number
  poisoned: number
  backendsKilled: number
  crashes: number
  /** Acknowledged, and the database does not know of it, or knows another answer. */
  missing: string[]
  /** Moves in the books beyond one for each key. */
  twice: string[]
  /** Harvests of which the answer names another amount than the books. */
  unlike: string[]
  /** Failed by another's fault. */
  innocent: string[]
  /** A resend with another answer. */
  differing: string[]
  /** Poison that was swallowed. */
  swallowed: string[]
  /** What the audit of all books found. */
  findings: string[]
}

type Options = {
  seed: number
  forMs: number
  /** Also kills the process of a backend, upon which Postgres ends all of them and recovers. */
  crashes: boolean
  say(sentence: string): void
}

/** Lets many clients do everything at once while what they stand on is killed, and holds the books against them. */
export async function torture(
  database: FreshDatabase,
  { seed, forMs, crashes, say }: Options,
): Promise<Verdict> {
  const owner = openDb(database.url, { max: 2, applicationName: 'torturer', readsAll: true })
  const db = openDb(database.urlFor('api'), { max: 6, applicationName: 'torture' })
  const random = randomOf(seed)
  let now = Date.parse('2026-01-05T12:00:00.000Z')
  const clock = { now: () => new Date(now) }
  const run = { on: true }
  const seen: Seen = { ...NOTHING_SEEN, answers: new Map(), innocent: [], differing: [], swallowed: [] }
  try {
    const next = deedsOf(db, { random, clock, ...(await openTorture(owner, clock)) })
    const done: Deed[] = []
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (run.on) {
        // Some are sent twice at once, some again long after.
        const deed = done.length > 0 && random.chance(0.05) ? random.one(done) : next()
        const times = random.chance(0.1) ? 2 : 1
        if (times > 1 || seen.answers.has(nameOf(deed))) seen.resent += 1
        await Promise.all(Array.from({ length: times }, () => askUntilAnswered(deed, seen)))
        if (!deed.isPoison && done.length < 20_000) done.push(deed)
      }
    })
    const from = performance.now()
    const counts = { backendsKilled: 0, crashes: 0 }
    for (let round = 1; performance.now() - from < forMs; round++) {
      await sleep(random.between(50, 250))
      now += HOUR_MS
      if (crashes && round % 120 === 0) counts.crashes += await crash(owner)
      else counts.backendsKilled += await killBackends(owner)
      if (round % 200 === 0)
        say(`${Math.round((performance.now() - from) / 1000)} s: ${seen.answers.size} done`)
    }
    run.on = false
    await Promise.all(clients)
    const { answers, ...told } = seen
    return { ...told, ...counts, acknowledged: answers.size, ...(await judge(owner, seen)) }
  } finally {
    run.on = false
    await db.end()
    await owner.end()
  }
}

/** Nothing is missing, nothing twice, nobody innocent failed, and there was something to bear. */
export function isWell(verdict: Verdict): boolean {
  const { missing, twice, unlike, innocent, differing, swallowed, findings } = verdict
  const faults = [missing, twice, unlike, innocent, differing, swallowed, findings]
  const { acknowledged, resent, poisoned, backendsKilled, outOfReach, asked, crashes } = verdict
  // A lost connection is made up for before the caller hears of it; a Postgres that recovers takes longer.
  if (crashes === 0 && outOfReach > asked / 20) return false
  const bore = acknowledged > 100 && backendsKilled > 3 && resent > 0 && poisoned > 0
  return bore && faults.every((each) => each.length === 0)
}

/** The verdict for people. */
export function tell(verdict: Verdict): string[] {
  return Object.entries(verdict).map(([name, value]) => {
    if (typeof value === 'number') return `${name}: ${value}`
    const some = value.slice(0, 3).join('; ')
    return `${name}: ${value.length}${some && ` (${some}${value.length > 3 ? ' …' : ''})`}`
  })
}

const NOTHING_SEEN = { asked: 0, refused: 0, resent: 0, outOfReach: 0, poisoned: 0 }

type Seen = typeof NOTHING_SEEN & {
  answers: Map<string, string>
  innocent: string[]
  differing: string[]
  swallowed: string[]
}

const nameOf = ({ wallet, key }: Deed): string => `${wallet} ${key.route} ${key.key}`

/** Asks as the web does: what is out of reach is asked for again with the same key. */
async function askUntilAnswered(deed: Deed, seen: Seen): Promise<void> {
  const name = nameOf(deed)
  for (;;) {
    seen.asked += 1
    try {
      const answer = JSON.stringify(await deed.submit())
      if (deed.isPoison) seen.swallowed.push(name)
      const before = seen.answers.get(name)
      if (before !== undefined && sorted(before) !== sorted(answer)) seen.differing.push(name)
      seen.answers.set(name, answer)
      return
    } catch (error) {
      if (isUnavailable(error)) {
        seen.outOfReach += 1
        await sleep(50)
        continue
      }
      if (error instanceof Refused) seen.refused += 1
      else if (deed.isPoison) seen.poisoned += 1
      else seen.innocent.push(`${deed.kind}: ${String(error)}`)
      // Whoever was told that it was done is never refused it afterwards.
      if (error instanceof Refused && seen.answers.has(name)) seen.differing.push(`${name}: ${error.message}`)
      return
    }
  }
}

const killAll = sql(
  'torture-kill',
  `select pg_terminate_backend(pid) from pg_stat_activity
   where application_name = 'torture' and datname = current_database()`,
)
const readPid = sql(
  'torture-pid',
  `select pid from pg_stat_activity where application_name = 'torture' and datname = current_database() limit 1`,
)

const killBackends = async (owner: Db): Promise<number> =>
  (await untilReached(() => owner.rows(killAll))).length

async function crash(owner: Db): Promise<number> {
  const [row] = await untilReached(() => owner.rows<{ pid: number }>(readPid))
  if (row) process.kill(row.pid, 'SIGKILL')
  return row ? 1 : 0
}

async function untilReached<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!isUnavailable(error)) throw error
      await sleep(100)
    }
  }
}

const readKept = sql(
  'torture-kept',
  `select wallet || ' ' || route || ' ' || key as name, route, answer from idempotency_keys`,
)
const countMoves = sql('torture-moves', 'select kind::text, count(*) as moves from journals group by kind')

const findUnlike = sql(
  'torture-unlike',
  `select wallet, at, (answer->>'claimedAmount')::numeric * 1000000 as amount from idempotency_keys
   where answer->>'claimedAmount' is not null
   except all
   select j.wallet, j.at, e.amount from journals j
   join entries e on e.journal_id = j.id and e.account = 'earned' where j.kind = 'claim'`,
)

type Judged = Pick<Verdict, 'missing' | 'twice' | 'unlike' | 'findings'>

async function judge(owner: Db, seen: Seen): Promise<Judged> {
  type Kept = { name: string; route: string; answer: object }
  const kept = await untilReached(() => owner.rows<Kept>(readKept))
  const known = new Map(kept.map((row) => [row.name, sorted(JSON.stringify(row.answer))]))
  const missing = [...seen.answers].filter(([name, answer]) => known.get(name) !== sorted(answer))
  const moves = await owner.rows<{ kind: string; moves: bigint }>(countMoves)
  const twice = ['claim', 'hire', 'parcel', 'resale'].flatMap((move) => {
    const keys = kept.filter(({ route }) => MOVES[route.split('/')[2] as keyof typeof MOVES] === move).length
    const booked = Number(moves.find((row) => row.kind === move)?.moves ?? 0)
    return booked === keys ? [] : [`${booked} moves of the kind ${move} by ${keys} keys`]
  })
  const findings = (await auditBooks(owner)).map((finding) => JSON.stringify(finding))
  const unlike = (await owner.rows<object>(findUnlike)).map((row) => JSON.stringify(row))
  return { missing: missing.map(([name]) => name), twice, unlike, findings }
}

/** The same fields in any order. */
function sorted(json: string): string {
  return JSON.stringify(JSON.parse(json), (_name, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}
