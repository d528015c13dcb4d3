import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { runIsolated } from '#tests/cluster/node-networks.ts'
import { checkGame, isPlayed, type PlayedGame, prepareGame, withDb } from '#tests/cluster/played-game.ts'
import { createRandom, type Random } from '#tests/simulation/random.ts'
import { makeDataDir, waitFor } from '#tests/support/run-server.ts'
import { runStatements } from '#tests/support/test-postgres.ts'
import { checkTokens } from './check-tokens.ts'
import { FAULT_MUTANTS, type FaultMutant } from './fault-mutants.ts'
import { KillResults } from './kill-results.ts'
import { LiveGame, type Target, TARGETS } from './live-game.ts'
import { LoopDisk } from './loop-disk.ts'

const USAGE = `npm run test:kills -- [--kills N] [--targets LIST]
npm run test:power -- [--cuts N] [--whole PERCENT] [--cache]

  --kills N        how many processes are killed, 1 to 100000 (100)
  --targets LIST   which: ${TARGETS.join(',')} (all)
  --cuts N         how often the disk loses its power, 1 to 100000 (100); needs root
  --whole PERCENT  how many cuts are of the whole machine; the others of database, chain and signer (10)
  --cache          the disk has a volatile write cache, of which a cut loses any sectors
  --minutes N      ends after this time
  --seed S         of targets and times (1)
  --mutant NAME    breaks the game on purpose; the command must fail: ${Object.keys(FAULT_MUTANTS).join(', ')}

Players hire, claim, trade land, deposit and withdraw meanwhile. A checker compares what they were answered with what is
stored (tests/histories). The history stays under .build/histories.`

const PLAYERS = 6
/** Kills and cuts between two checks. */
const KILLS_PER_CHECK = 10
const CUTS_PER_CHECK = 5
const MUTANTS_PER_CHECK = 3
/** A kill that does not wait until the last one is over. */
const HASTY = 0.1
const RECOVERY_MS = 180_000

const WEIGHTS: Record<Target, number> = {
  api: 16,
  watcher: 12,
  signer: 12,
  'local-chain': 12,
  backend: 16,
  postgres: 16,
  supervisor: 4,
  all: 8,
}

const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`)

type Options = {
  isPower: boolean
  hasCache: boolean
  count: number
  whole: number
  minutes: number
  seed: number
  targets: readonly Target[]
  mutant: FaultMutant | undefined
}

function readOptions(): Options | null {
  const names = ['kills', 'cuts', 'whole', 'minutes', 'seed', 'targets', 'mutant'] as const
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(names.map((name) => [name, text])),
      power: { type: 'boolean', default: false },
      cache: { type: 'boolean', default: false },
    },
  }) as { values: Partial<Record<(typeof names)[number], string>> & { power: boolean; cache: boolean } }
  if (values.mutant !== undefined && !Object.hasOwn(FAULT_MUTANTS, values.mutant)) return null
  const mutant = values.mutant === undefined ? undefined : FAULT_MUTANTS[values.mutant]
  const { power: isPower, cache: hasCache } = values
  const asked = values.targets?.split(',') ?? (mutant && mutant.targets.length > 0 ? mutant.targets : TARGETS)
  const options: Options = {
    isPower,
    hasCache,
    count: Number((isPower ? values.cuts : values.kills) ?? 100),
    whole: Number(values.whole ?? 10) / 100,
    minutes: Number(values.minutes ?? Infinity),
    seed: Number(values.seed ?? 1),
    targets: TARGETS.filter((target) => asked.includes(target)),
    mutant,
  }
  const { count, whole, minutes, seed, targets } = options
  const isValid =
    Number.isInteger(count) && count >= 1 && count <= 100_000 && whole >= 0 && whole <= 1 && minutes > 0
  return isValid &&
    (isPower || !hasCache) &&
    Number.isSafeInteger(seed) &&
    seed >= 0 &&
    targets.length === asked.length
    ? options
    : null
}

const readInstances = sql({
  name: 'test-read-instances',
  row: rowOf<{ role: string; instance: string }>(),
  text: 'select role, instance::text from role_terms',
})

/** A game under load, in which things are killed. */
type Campaign = {
  game: LiveGame
  played: PlayedGame
  random: Random
  results: KillResults
  disk: LoopDisk | null
}

const instanceOf = (game: LiveGame, role: Target): Promise<string | null> =>
  withDb(game, (db) => db.rows(readInstances)).then(
    (rows) => rows.find((row) => row.role === role)?.instance ?? null,
    () => null,
  )

const answers = (url: string): Promise<boolean> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"getHealth"}',
    signal: AbortSignal.timeout(1000),
  }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Whether what was killed at `killedAt` works again: the role has its term, or players are answered. */
async function makeProbe(
  { game, played }: Campaign,
  target: Target,
): Promise<(killedAt: number) => Promise<boolean>> {
  if (target === 'local-chain') return () => answers(game.chainUrl)
  if (target === 'watcher' || target === 'signer') {
    const before = await instanceOf(game, target)
    return async () => {
      const now = await instanceOf(game, target)
      return now !== null && now !== before
    }
  }
  return async (killedAt) => isPlayed(played, killedAt)
}

/** Kills one target at a random moment. */
async function killOnce(campaign: Campaign, target: Target): Promise<void> {
  const { game, played, random, results } = campaign
  const isOver = await makeProbe(campaign, target)
  await sleep(random.between(100, 1200))
  played.log.remark(`kill ${target}`)
  const kill = () => game.kill(target, (of) => random.pick(of))
  // It may not be back yet from an earlier kill.
  await waitFor(`${target} to kill`, kill, RECOVERY_MS)
  const killedAt = performance.now()
  if (target === 'supervisor' || target === 'all') await game.startAgain()
  else if (random.chance(HASTY)) return results.add(target, null)
  await waitFor(`${target} to work again`, () => isOver(killedAt), RECOVERY_MS)
  results.add(target, performance.now() - killedAt)
}

/** While a checkpoint writes pages, a cut can leave parts of one. Otherwise Postgres writes few of them between two cuts. */
async function beginCheckpoint({ databaseUrl }: LiveGame, random: Random): Promise<void> {
  // Its connection ends with the disk.
  void runStatements(databaseUrl, 'checkpoint').catch(() => {})
  await sleep(random.between(0, 100))
}

/** Cuts the power of the disk at a random moment, with the whole machine or with what writes to it. */
async function cutOnce({ game, played, random, results, disk }: Campaign, isWhole: boolean): Promise<void> {
  await sleep(random.between(300, 3000))
  if (disk!.hasCache) await beginCheckpoint(game, random)
  const name = isWhole ? 'whole machine' : 'database, chain and signer'
  played.log.remark(`power of ${name}`)
  if (isWhole) {
    game.losePower(() => disk!.cut())
    disk!.remount()
  } else {
    game.loseDisk(
      () => disk!.cut(),
      () => disk!.remount(),
    )
  }
  const cutAt = performance.now()
  if (isWhole) await game.startAgain()
  const isOver = async () => isPlayed(played, cutAt) && (await answers(game.chainUrl))
  await waitFor(`${name} to work again`, isOver, RECOVERY_MS)
  results.add(name, performance.now() - cutAt)
}

async function runCampaign(campaign: Campaign, options: Options): Promise<void> {
  const { game, played, random, results } = campaign
  const { isPower, count, whole, targets, mutant } = options
  const weighted = targets.map((value) => ({ value, weight: WEIGHTS[value] }))
  const perCheck = mutant ? MUTANTS_PER_CHECK : isPower ? CUTS_PER_CHECK : KILLS_PER_CHECK
  const deadline = performance.now() + options.minutes * 60_000
  const isOver = (): boolean => performance.now() > deadline || (mutant !== undefined && results.faults > 0)
  while (results.kills < count && !isOver()) {
    played.load.start()
    const until = Math.min(count, results.kills + perCheck)
    while (results.kills < until) {
      if (isPower) await cutOnce(campaign, random.chance(whole))
      else await killOnce(campaign, random.weighted(weighted))
    }
    say(results.check(await checkGame(played, game)))
  }
  const wallets = played.players.map(({ address }) => address)
  for (const fault of await checkTokens(game, wallets)) results.fail(fault)
}

async function run(options: Options): Promise<void> {
  const { isPower, hasCache, seed, mutant } = options
  const disk = isPower ? new LoopDisk({ hasCache, random: createRandom(seed + 1) }) : null
  const folder = disk ? null : makeDataDir()
  const results = new KillResults()
  let game: LiveGame | undefined
  try {
    say(`Seed ${seed}.`)
    game = await LiveGame.start(disk?.folder ?? folder!.dataDir, { mutant })
    for (const text of mutant?.statements ?? []) await runStatements(game.databaseUrl, text)
    const played = await prepareGame(game, { players: PLAYERS, say })
    await runCampaign({ game, played, random: createRandom(seed), results, disk }, options)
  } catch (error) {
    say(String((error as Error).stack))
    results.fail(`${String(error)}\n${game?.lastWords() ?? ''}`)
  } finally {
    await game?.stop()
    disk?.remove()
    folder?.remove()
  }
  if (disk) {
    const { gone, remained } = disk.probes
    say(`A file that was not synced was gone after ${gone} cuts and still there after ${remained}.`)
    // Then the cuts test nothing.
    if (gone === 0) results.fail('No cut has lost a file that was not synced.')
  }
  for (const line of results.lines()) say(line)
  // After an error the clients would go on.
  process.exit(results.faults === 0 ? 0 : 1)
}

const options = readOptions()
if (!options) {
  process.stderr.write(`${USAGE}\n`)
  process.exit(2)
}
if (options.isPower && process.getuid?.() !== 0) {
  process.stderr.write('Only root can mount the disk whose power is cut.\n')
  process.exit(2)
}
if (!(await runIsolated())) await run(options)
