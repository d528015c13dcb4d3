import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { cotton } from '#game/cotton.ts'
import { claimEntries } from '#game/credit.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { auditBooks } from '#server/ops/audit-books.ts'
import { type Db, openDb, sql } from '#server/platform/db/db.ts'
import { createFundedPlayer, type Player } from '#tests/e2e/funded-player.ts'
import { checkSegment } from '#tests/histories/check-history.ts'
import { waitFor } from '#tests/support/run-server.ts'
import { CLUSTER_MUTANTS } from './cluster-mutants.ts'
import { causeFailure, KIND_NAMES, type KindName, needsIsolation } from './fail-over.ts'
import { Load, longestGap } from './failover-load.ts'
import { Results } from './failover-results.ts'
import { type GameCluster, startGameCluster } from './game-cluster.ts'
import { HistoryLog } from './logged-calls.ts'
import { createNodeNetworks, mountDisk, runIsolated, unmountDisk } from './node-networks.ts'
import type { Known } from './player-actions.ts'
import { findPrograms } from './programs.ts'
import { readState } from './stored-state.ts'

const USAGE = `npm run test:failover -- [--rounds N] [--minutes N] [--kinds LIST] [--mutant NAME]

  --rounds N       how many failures, 1 to 1000 (one of each kind)
  --minutes N      starts no other round after this time
  --kinds LIST     which, in turn: ${KIND_NAMES.join(',')} (all)
  --mutant NAME    breaks the cluster on purpose; the test must fail: ${Object.keys(CLUSTER_MUTANTS).join(', ')}

Players hire, claim, trade land and withdraw through HAProxy and two apis meanwhile. After each round a checker compares
what they were answered with what is stored (tests/histories). The history stays under .build/histories.`

const PLAYERS = 4
const DEPOSIT = 20_000
/** How long clients act before and after the failure. */
const QUIET_MS = 2_500
/** An attempt without an answer may take effect for this long. */
const LATE_MS = 60_000

// Sold out in the course of a long run, so that the last one is contended for.
const limitSupply = sql({
  name: 'test-limit-supply',
  text: `update worker_types set max_supply = case worker_type when 'bigman' then 60 else 1000000000 end`,
})

const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`)

type Options = { rounds: number; minutes: number; kinds: KindName[]; mutant: string | undefined }

function readOptions(): Options | null {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string' },
      minutes: { type: 'string' },
      kinds: { type: 'string' },
      mutant: { type: 'string' },
    },
  })
  const mutant = values.mutant
  if (mutant !== undefined && !Object.hasOwn(CLUSTER_MUTANTS, mutant)) return null
  const names = values.kinds?.split(',') ?? (mutant ? CLUSTER_MUTANTS[mutant]!.kinds : KIND_NAMES)
  const kinds = KIND_NAMES.filter((name) => names.includes(name))
  const rounds = Number(values.rounds ?? kinds.length)
  const minutes = Number(values.minutes ?? Infinity)
  const isValid =
    minutes > 0 && Number.isInteger(rounds) && rounds >= 1 && rounds <= 1000 && kinds.length === names.length
  return isValid ? { rounds, minutes, kinds, mutant } : null
}

async function runRounds({ rounds, minutes, kinds, mutant: name }: Options): Promise<void> {
  const mutant = name === undefined ? undefined : CLUSTER_MUTANTS[name]!
  const edit = mutant?.editHaproxy ?? ((text: string) => text)
  const networks = createNodeNetworks()
  const possible = kinds.filter((kind) => networks || !needsIsolation(kind))
  for (const kind of kinds.filter((each) => !possible.includes(each)))
    say(`${kind} is left out: only root can give the nodes networks and disks of their own.`)
  const hook = `--import=${join(import.meta.dirname, 'load-mutant.ts')}`
  const cluster = await startGameCluster({
    settings: SETTINGS,
    say,
    nodes: {
      ...(networks && { networks, prepareDisk: mountDisk, releaseDisk: unmountDisk }),
      ...mutant?.nodes,
    },
    editHaproxy: edit,
    ...(mutant?.edits && { apiEnvironment: { NODE_OPTIONS: hook, CLUSTER_MUTANT: name! } }),
  })
  const results = new Results()
  try {
    const isSynchronous = mutant?.nodes?.isSynchronous ?? true
    const game = await prepareGame(cluster)
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

const SETTINGS = {
  RATE_LIMITS: 'off',
  MARKET_MODE: 'open',
  OPEN_WITHDRAWALS_PER_WALLET: '1000000',
  WITHDRAWAL_NEW_WALLET_HOURS: '0',
  WITHDRAWALS_PER_WALLET_DAY: '1000000',
  WITHDRAWALS_PER_HOUR: '1000000',
}

type Game = { load: Load; log: HistoryLog; players: readonly Player[] }

async function prepareGame(cluster: GameCluster): Promise<Game> {
  const players = await Promise.all(
    Array.from({ length: PLAYERS }, () =>
      // On a busy machine an api may be late for a check, and is then away for a moment.
      waitFor('a player', () => createFundedPlayer(DEPOSIT, cluster.url).catch(() => null), 90_000),
    ),
  )
  await withDb(cluster, (db) => fund(db, players))
  const folder = resolve(import.meta.dirname, '../../.build/histories')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${new Date().toISOString().replaceAll(':', '-')}.jsonl`)
  say(`History: ${file}`)
  const log = new HistoryLog(file)
  const known = await readKnown(cluster.url)
  const load = new Load(cluster.url, log, { players, known })
  const wallets = players.map(({ address }) => address)
  log.writeState(await readState(cluster.databaseUrl, wallets), LATE_MS)
  return { load, log, players }
}

type Round = Game & { cluster: GameCluster; kind: KindName; fail(): Promise<number | null> }

/** One failure under load, and what the checker and the audit say afterwards. */
async function runRound({ load, log, players, cluster, kind, fail }: Round) {
  const wallets = players.map(({ address }) => address)
  log.remark(kind)
  load.start()
  await sleep(QUIET_MS)
  const from = performance.now()
  // What was acknowledged is checked even if the cluster does not recover.
  const { floorMs, failure } = await fail().then(
    (floorMs) => ({ floorMs, failure: undefined }),
    (failure: unknown) => ({ floorMs: null, failure }),
  )
  await sleep(QUIET_MS)
  const gapMs = longestGap(load.acknowledgedAt, from, performance.now())
  await load.stop()
  const state = await waitFor('the stored state', () =>
    readState(cluster.databaseUrl, wallets).catch(() => null),
  )
  const before = log.before!
  const { acknowledged, unknown, faults } = checkSegment(
    { before, events: [...log.events], after: state },
    LATE_MS,
  )
  log.writeState(state, LATE_MS)
  const audit = await withDb(cluster, async (db) =>
    (await auditBooks(db)).map((finding) => JSON.stringify(finding)),
  )
  return { floorMs, gapMs, acknowledged, unknown, faults, audit, failure }
}

async function readKnown(url: string): Promise<Known> {
  const read = async <T>(path: string) => (await (await fetch(`${url}${path}`)).json()) as T
  const { workerTypes } = await read<{ workerTypes: Record<string, { price: number }> }>('/api/workers/types')
  const continents = Object.keys(await read<object>('/api/continent-stats'))
  const parcels = await Promise.all(
    continents.map((code) => read<{ parcelId: string; regionId: string }[]>(`/api/parcels?regionId=${code}`)),
  )
  return {
    prices: Object.fromEntries(Object.entries(workerTypes).map(([type, { price }]) => [type, price])),
    free: parcels.flat().map(({ parcelId }) => parcelId),
    regions: Object.fromEntries(parcels.flat().map(({ parcelId, regionId }) => [parcelId, regionId])),
    offers: new Map(),
    workers: new Map(),
    land: new Map(),
    withdrawals: new Map(),
  }
}

async function withDb<T>({ databaseUrl }: GameCluster, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDb(databaseUrl, { max: 2, applicationName: 'failover', allowFullScans: true })
  try {
    return await work(db)
  } finally {
    await db.end()
  }
}

/** Earned credit for any number of purchases. Withdrawals are of the deposit, which has tokens. */
async function fund(db: Db, players: readonly Player[]): Promise<void> {
  await db.rows(limitSupply)
  await db.transaction(async (tx) => {
    const ledger = await openLedger(
      tx,
      players.map(({ address }) => address),
    )
    for (const { address: wallet } of players) {
      const entries = claimEntries(wallet, cotton(2_000_000_000))
      ledger.post({ wallet, at: new Date(), kind: 'adjustment', detail: { reason: 'test' }, entries })
    }
    await ledger.write()
  })
}

const options = readOptions()
if (!options) {
  process.stderr.write(`${USAGE}\n`)
  process.exit(2)
}
// Downloads what is missing while there is a network.
findPrograms()
if (!(await runIsolated())) await runRounds(options)
