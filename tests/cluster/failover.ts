import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findPgBouncer } from '#tests/support/pgbouncer.ts'
import { waitFor } from '#tests/support/run-server.ts'
import { CLUSTER_MUTANTS } from './cluster-mutants.ts'
import { causeFailure, KIND_NAMES, type KindName, needsIsolation, needsPooler } from './fail-over.ts'
import { longestGap } from './failover-load.ts'
import { countFailed, Results } from './failover-results.ts'
import { type GameCluster, startGameCluster } from './game-cluster.ts'
import { createNodeNetworks, mountDisk, runIsolated, unmountDisk } from './node-networks.ts'
import { checkGame, isPlayed, type PlayedGame, prepareGame, SETTINGS } from './played-game.ts'
import { findPrograms } from './programs.ts'

const USAGE = `npm run test:failover -- [--rounds N] [--minutes N] [--kinds LIST] [--pooler] [--mutant NAME]

  --rounds N       how many failures, 1 to 1000 (one of each kind)
  --minutes N      starts no other round after this time
  --kinds LIST     which, in turn: ${KIND_NAMES.join(',')} (all)
  --pooler         the roles connect through PgBouncer, which can then be restarted, too
  --mutant NAME    breaks the cluster on purpose; the test must fail: ${Object.keys(CLUSTER_MUTANTS).join(', ')}

Players hire, claim, trade land and withdraw through HAProxy and two apis meanwhile. After each round a checker compares
what they were answered with what is stored (tests/histories). The history stays under .build/histories.`

const PLAYERS = 4
/** How long clients act before and after the failure. */
const QUIET_MS = 2_500
/** How long the game has for the first acknowledgement once the failure is over. */
const ANSWER_MS = 60_000

const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`)

type Options = {
  rounds: number
  minutes: number
  kinds: KindName[]
  pooler: boolean
  mutant: string | undefined
}

function readOptions(): Options | null {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string' },
      minutes: { type: 'string' },
      kinds: { type: 'string' },
      pooler: { type: 'boolean', default: false },
      mutant: { type: 'string' },
    },
  })
  const mutant = values.mutant
  if (mutant !== undefined && !Object.hasOwn(CLUSTER_MUTANTS, mutant)) return null
  const usual = KIND_NAMES.filter((kind) => values.pooler || !needsPooler(kind))
  const names = values.kinds?.split(',') ?? (mutant ? CLUSTER_MUTANTS[mutant]!.kinds : usual)
  const kinds = KIND_NAMES.filter((name) => names.includes(name))
  const rounds = Number(values.rounds ?? kinds.length)
  const minutes = Number(values.minutes ?? Infinity)
  const isValid =
    minutes > 0 && Number.isInteger(rounds) && rounds >= 1 && rounds <= 1000 && kinds.length === names.length
  const pooler = values.pooler || kinds.some(needsPooler)
  return isValid ? { rounds, minutes, kinds, pooler, mutant } : null
}

async function runRounds({ rounds, minutes, kinds, pooler, mutant: name }: Options): Promise<void> {
  const mutant = name === undefined ? undefined : CLUSTER_MUTANTS[name]!
  const edit = mutant?.editHaproxy ?? ((text: string) => text)
  const networks = createNodeNetworks()
  const hook = `--import=${join(import.meta.dirname, 'load-mutant.ts')}`
  const cluster = await startGameCluster({
    settings: SETTINGS,
    say,
    nodes: {
      ...(networks && { networks, prepareDisk: mountDisk, releaseDisk: unmountDisk }),
      ...mutant?.nodes,
    },
    editHaproxy: edit,
    pooler,
    ...(mutant?.edits && {
      apiEnvironment: { NODE_OPTIONS: hook, PRODUCT_EDITS: JSON.stringify(mutant.edits) },
    }),
  })
  const results = new Results()
  try {
    const possible = kinds.filter(
      (kind) => (networks || !needsIsolation(kind)) && (cluster.pooler || !needsPooler(kind)),
    )
    for (const kind of kinds.filter((each) => !possible.includes(each)))
      say(`${kind} is left out: ${needsPooler(kind) ? 'there is no PgBouncer' : ONLY_ROOT}.`)
    const isSynchronous = mutant?.nodes?.isSynchronous ?? true
    const game = await prepareGame(cluster, { players: PLAYERS, say })
    const deadline = performance.now() + minutes * 60_000
    const isOver = (): boolean => performance.now() > deadline || (mutant !== undefined && results.faults > 0)
    for (let round = 0; round < rounds && !isOver(); round++) {
      const kind = possible[round % possible.length]!
      const fail = () => causeFailure(cluster, kind, { isSynchronous })
      const { failure, ...result } = await runRound({ ...game, cluster, kind, fail })
      say(results.add(kind, result))
      if (failure !== undefined) throw failure
    }
  } catch (error) {
    results.fail(error)
  } finally {
    await cluster.stop()
  }
  for (const line of results.lines()) say(line)
  // After an error the clients would go on.
  process.exit(results.faults === 0 ? 0 : 1)
}

const ONLY_ROOT = 'only root can give the nodes networks and disks of their own'

type Round = PlayedGame & { cluster: GameCluster; kind: KindName; fail(): Promise<number | null> }

/** One failure under load, and what the checker and the audit say afterwards. */
async function runRound({ cluster, kind, fail, ...game }: Round) {
  const { load, log } = game
  log.remark(kind)
  load.start()
  await sleep(QUIET_MS)
  const from = performance.now()
  // What was acknowledged is checked even if the cluster does not recover.
  const { floorMs, failure } = await fail().then(
    (floorMs) => ({ floorMs, failure: undefined }),
    (failure: unknown) => ({ floorMs: null, failure }),
  )
  const overAt = performance.now()
  await sleep(QUIET_MS)
  const isAnswered = await waitFor(
    'an action to be acknowledged',
    () => isPlayed(game, overAt),
    ANSWER_MS,
  ).catch(() => false)
  const gapMs = longestGap(load.acknowledged, from, performance.now())
  const failed = countFailed(log.events.filter(({ at }) => at >= from))
  return { floorMs, gapMs, isAnswered, failure, ...failed, ...(await checkGame(game, cluster)) }
}

const options = readOptions()
if (!options) {
  process.stderr.write(`${USAGE}\n`)
  process.exit(2)
}
// Downloads what is missing while there is a network.
findPrograms()
if (options.pooler) findPgBouncer()
if (!(await runIsolated())) await runRounds(options)
