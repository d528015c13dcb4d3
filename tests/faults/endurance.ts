import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { storedBy } from '../../bench/scale/costs.ts'
import { readRecorded } from '../../bench/scale/recorded.ts'
import { quantile } from '../../bench/statistics.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import type { Load } from '#tests/cluster/failover-load.ts'
import { runIsolated } from '#tests/cluster/node-networks.ts'
import { checkGame, type PlayedGame, prepareGame, withDb } from '#tests/cluster/played-game.ts'
import type { ActionName } from '#tests/histories/history.ts'
import { createRandom, type Random } from '#tests/simulation/random.ts'
import { makeDataDir } from '#tests/support/run-server.ts'
import { checkTokens } from './check-tokens.ts'
import { KillResults } from './kill-results.ts'
import { LiveGame, type Target, TARGETS } from './live-game.ts'
import { findTrend, judgeGrowth, judgeMemory } from './trend.ts'
import { LatencyWatch } from './watch-latency.ts'
import { ResourceWatch, type Series } from './watch-resources.ts'

/** With fewer values a series is not judged. A run of so many minutes must have enough of each. */
const FEWEST = 4
const JUDGED_FROM = 60

const USAGE = `npm run test:endurance -- [--minutes N] [--seed S]

  --minutes N   how long, 8 to 10000 (120); memory is judged from ${JUDGED_FROM} on
  --seed S      of what is killed when (1)

Runs the game at half of full load and kills a process each minute: everything in turn for a quarter of the time, then
Postgres and its connections only, so that the other processes live long enough to show a leak. Compares what players
were answered with what is stored, and says whether memory and latency are flat and the disk grows as docs/scale.md says. Latency is compared with that of a read.`

const PLAYERS = 6
const FULL_MS = 20_000
const MINUTE_MS = 60_000
/** When a target of a kill does not run at the moment. */
const RETRY_MS = 200
/** Latency is not counted from so long before a kill to so long after it. */
const MARGIN_MS = 5_000
const RECOVERY_MS = 20_000
/** How many values at the beginning of a series of memory do not count: caches fill, code is compiled. */
const WARM_UP = 1
/** Growth below this share of the median over the whole time is called flat, even if it is significant. */
const TOLERANCE = 0.05
const CHECK_EVERY = 5

type Stored = ReturnType<typeof storedBy>

const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`)

const readSizes = sql({
  name: 'test-sizes',
  row: rowOf<{ table: string; bytes: bigint }>(),
  text: `select relname::text as table, pg_total_relation_size(oid) as bytes from pg_class
   where relkind = 'r' and relnamespace = 'public'::regnamespace`,
})

/** Runs the load without pauses, and returns how often each client may act for half of that. */
async function measureHalf(load: Load): Promise<number> {
  load.start(0)
  const before = load.calls
  await sleep(FULL_MS)
  const rate = (load.calls - before) / (FULL_MS / 1000)
  await load.stop()
  const intervalMs = (load.clients / (rate / 2)) * 1000
  say(
    `Full load is ${rate.toFixed(0)} calls a second with ${load.clients} clients. Half of it is one every ${intervalMs.toFixed(0)} ms each.`,
  )
  return intervalMs
}

type Endurance = { game: LiveGame; played: PlayedGame; random: Random; results: KillResults }

// Postgres loses its statistics when it is killed, so autovacuum would never find enough to do.
const vacuum = sql({ name: 'test-vacuum', text: 'vacuum analyze' })

type Minute = { actions: number[]; reads: number[] }

/** One minute with a kill at a random moment of its first half. Returns the latencies of calls apart from it, in ms. */
async function playMinute({ game, played, random }: Endurance, target: Target): Promise<Minute> {
  const from = performance.now()
  const until = from + MINUTE_MS
  await sleep(random.between(0, MINUTE_MS / 2))
  while (!game.kill(target, (of) => random.pick(of))) {
    if (performance.now() > until) throw new Error(`for a minute no ${target} ran that could be killed`)
    await sleep(RETRY_MS)
  }
  const killedAt = performance.now()
  played.log.remark(`kill ${target}`)
  if (target === 'supervisor' || target === 'all') await game.startAgain()
  await sleep(Math.max(0, until - performance.now()))
  const latenciesOf = (calls: readonly { calledAt: number; at: number }[]): number[] =>
    calls
      .filter(
        ({ calledAt }) =>
          calledAt > from && (calledAt < killedAt - MARGIN_MS || calledAt > killedAt + RECOVERY_MS),
      )
      .map(({ calledAt, at }) => at - calledAt)
  return { actions: latenciesOf(played.load.acknowledged), reads: latenciesOf(played.load.reads) }
}

const ALL_IN_TURN: readonly Target[] = TARGETS
const POSTGRES_ONLY: readonly Target[] = ['backend', 'postgres']

async function endure(endurance: Endurance, minutes: number): Promise<Series[]> {
  const { game, played, results } = endurance
  const intervalMs = await measureHalf(played.load)
  say(results.check(await checkGame(played, game)))
  const watch = new ResourceWatch(game)
  const latency = new LatencyWatch()
  let disk = { sizes: new Map<string, number>(), from: 0 }
  const quarter = Math.ceil(minutes / 4)
  for (let minute = 0; minute < minutes; minute++) {
    if (minute === quarter) disk = { sizes: await sizesOf(game), from: played.load.acknowledged.length }
    if (minute % CHECK_EVERY === 0) played.load.start(intervalMs)
    const targets = minute < quarter ? ALL_IN_TURN : POSTGRES_ONLY
    const target = targets[minute % targets.length]!
    const { actions, reads } = await playMinute(endurance, target)
    results.add(target, null)
    if (minute >= quarter) latency.add(actions, reads)
    if (minute % CHECK_EVERY === CHECK_EVERY - 1) {
      say(results.check(await checkGame(played, game)))
      await withDb(game, (db) => db.rows(vacuum))
      await watch.sample()
    }
  }
  say(results.check(await checkGame(played, game)))
  const grown = [...(await sizesOf(game))].map(([table, bytes]) => ({
    table,
    kb: (bytes - (disk.sizes.get(table) ?? 0)) / 1000,
  }))
  sayDisk(grown, played.load.acknowledged.slice(disk.from))
  return [...watch.list(), ...latency.list()]
}

/** The size of each table with its indexes. */
const sizesOf = (game: LiveGame): Promise<Map<string, number>> =>
  withDb(game, async (db) => new Map((await db.rows(readSizes)).map((row) => [row.table, Number(row.bytes)])))

/** What each action of the load stores, by the operations of docs/scale.md. A listing is a row without an entry. */
function storedKbOf(): (action: ActionName) => number {
  const recorded = readRecorded()
  const [hire, claim, deposit, withdrawal] = ['hire', 'claim', 'deposit', 'withdrawal'].map((what) =>
    storedBy(recorded, what),
  ) as [Stored, Stored, Stored, Stored]
  const stored: Partial<Record<ActionName, number>> = {
    claim: claim.kb,
    // The transaction itself makes it happen once: it has no key.
    deposit: deposit.kb - hire.keyKb,
    withdraw: withdrawal.kb,
    // The entries of the refund instead of those of the payout.
    'cancel-withdrawal': 0,
    list: hire.kb - claim.kb,
    cancel: 0,
  }
  // No key is old enough to be deleted.
  return (action) => (stored[action] ?? hire.kb) + hire.keyKb
}

/** Compares the growth of the database with the sizes that docs/scale.md gives for these actions. */
function sayDisk(tables: readonly { table: string; kb: number }[], acknowledged: Load['acknowledged']): void {
  const storedKb = storedKbOf()
  const expected = acknowledged.reduce((sum, { action }) => sum + storedKb(action), 0)
  const grown = tables.reduce((sum, { kb }) => sum + kb, 0)
  const ratio = (grown / expected).toFixed(2)
  say(
    `The database grew by ${grown.toFixed(0)} kB in ${acknowledged.length} actions, ${ratio} times the ${expected.toFixed(0)} kB of docs/scale.md.`,
  )
  const most = tables.toSorted((a, b) => b.kb - a.kb).slice(0, 8)
  say(`Most of it: ${most.map(({ table, kb }) => `${table} ${kb.toFixed(0)} kB`).join(', ')}.`)
}

/** Says of each series whether it is flat. Returns those that are not. */
function judge(series: readonly Series[], minutes: number): string[] {
  return series.flatMap(({ what, unit, isJudged, values: all }) => {
    const isMemory = what.startsWith('memory')
    const values = all.slice(isMemory ? WARM_UP : 0)
    if (values.length < FEWEST) {
      const sentence = `${what}: only ${values.length} values, too few to judge.`
      say(sentence)
      return minutes < JUDGED_FROM ? [] : [sentence]
    }
    const each = isMemory ? CHECK_EVERY : 1
    const { slope, from, to } = findTrend(values)
    const verdict = (isMemory ? judgeMemory : judgeGrowth)(values, TOLERANCE)
    const round = (value: number): string => (value / each).toFixed(3)
    const quarters = [0, 1, 2, 3].map((at) =>
      quantile(values.slice((at * values.length) / 4, ((at + 1) * values.length) / 4), 0.5).toFixed(1),
    )
    say(
      `${what}: median ${quantile(values, 0.5).toFixed(1)} ${unit}, ${round(slope)} ${unit} a minute (95 %: ${round(from)} to ${round(to)}) over ${values.length * each} minutes: ${verdict}; by quarters ${quarters.join(', ')}`,
    )
    return isJudged && verdict === 'grows' ? [`${what} grows by ${round(slope)} ${unit} a minute.`] : []
  })
}

async function run(minutes: number, seed: number): Promise<void> {
  const { dataDir, remove } = makeDataDir()
  const results = new KillResults()
  let game: LiveGame | undefined
  try {
    game = await LiveGame.start(dataDir, { collects: true })
    const played = await prepareGame(game, { players: PLAYERS, say })
    const series = await endure({ game, played, random: createRandom(seed), results }, minutes)
    for (const fault of judge(series, minutes)) results.fail(fault)
    const wallets = played.players.map(({ address }) => address)
    for (const fault of await checkTokens(game, wallets)) results.fail(fault)
  } catch (error) {
    say(String((error as Error).stack))
    results.fail(`${String(error)}\n${game?.lastWords() ?? ''}`)
  } finally {
    await game?.stop()
    remove()
  }
  for (const line of results.lines()) say(line)
  process.exit(results.faults === 0 ? 0 : 1)
}

const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } })
const [minutes, seed] = [Number(values.minutes ?? 120), Number(values.seed ?? 1)]
if (
  !(Number.isInteger(minutes) && minutes >= 8 && minutes <= 10_000) ||
  !Number.isSafeInteger(seed) ||
  seed < 0
) {
  process.stderr.write(`${USAGE}\n`)
  process.exit(2)
}
if (!(await runIsolated())) await run(minutes, seed)
