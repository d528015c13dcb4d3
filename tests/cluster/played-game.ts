import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cotton } from '#game/cotton.ts'
import { claimEntries } from '#game/credit.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { auditBooks } from '#server/ops/audit-books.ts'
import { type Db, openDb, sql } from '#server/platform/db/db.ts'
import { createFundedPlayer, type Player } from '#tests/e2e/funded-player.ts'
import { checkSegment, type Verdict } from '#tests/histories/check-history.ts'
import type { State } from '#tests/histories/history.ts'
import { waitFor } from '#tests/support/run-server.ts'
import { Load } from './failover-load.ts'
import { HistoryLog } from './logged-calls.ts'
import type { Known } from './player-actions.ts'
import { readState } from './stored-state.ts'

/** Where players connect, and the owner's login to the database. */
export type GameUrls = { url: string; databaseUrl: string }

/** A game with players who act at random and log what they are answered. */
export type PlayedGame = { load: Load; log: HistoryLog; players: readonly Player[] }

/** Settings of a game in which players act faster than people. */
export const SETTINGS = {
  RATE_LIMITS: 'off',
  MARKET_MODE: 'open',
  // An outage must not leave more refunds than the checker of histories can order.
  OPEN_WITHDRAWALS_PER_WALLET: '6',
  WITHDRAWAL_NEW_WALLET_HOURS: '0',
  WITHDRAWALS_PER_WALLET_DAY: '1000000',
  WITHDRAWALS_PER_HOUR: '1000000',
}

/** What each player deposits at first. */
const DEPOSIT = 20_000
/** An attempt without an answer may take effect for this long. */
const LATE_MS = 60_000
/** How long the chain's transfers may take to be credited. */
const CREDIT_MS = 60_000

// Sold out in the course of a long run, so that the last one is contended for.
const limitSupply = sql({
  name: 'test-limit-supply',
  text: `update worker_types set max_supply = case worker_type when 'bigman' then 60 else 1000000000 end`,
})

type PrepareOptions = { players: number; say(sentence: string): void }

/** Creates players with credit. The history begins with a state. */
export async function prepareGame(
  urls: GameUrls,
  { players: count, say }: PrepareOptions,
): Promise<PlayedGame> {
  const players = await Promise.all(
    Array.from({ length: count }, () =>
      // On a busy machine an api may be late for a check, and is then away for a moment.
      waitFor('a player', () => createFundedPlayer(DEPOSIT, urls.url).catch(() => null), 90_000),
    ),
  )
  await withDb(urls, (db) => fund(db, players))
  const folder = resolve(import.meta.dirname, '../../.build/histories')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${new Date().toISOString().replaceAll(':', '-')}.jsonl`)
  say(`History: ${file}`)
  const log = new HistoryLog(file)
  const load = new Load(urls.url, log, { players, known: await readKnown(urls.url) })
  log.writeState(await readState(urls.databaseUrl, walletsOf(players)), LATE_MS)
  return { load, log, players }
}

/** Whether something was acknowledged that was asked for after `since`. */
export const isPlayed = ({ load }: Pick<PlayedGame, 'load'>, since: number): boolean =>
  load.acknowledged.findLast(({ calledAt }) => calledAt > since) !== undefined

export type Checked = Verdict & {
  /** What the audit found. */
  audit: string[]
}

/** Stops the load, and compares what clients were answered with what is stored. */
export async function checkGame({ load, log, players }: PlayedGame, urls: GameUrls): Promise<Checked> {
  await load.stop()
  const read = (): Promise<State> =>
    waitFor(
      'the stored state',
      () => readState(urls.databaseUrl, walletsOf(players)).catch(() => null),
      90_000,
    )
  let state = await read()
  const deadline = performance.now() + CREDIT_MS
  while (hasOpenDeposits(load, state) && performance.now() < deadline) {
    await sleep(250)
    state = await read()
  }
  const verdict = checkSegment({ before: log.before!, events: [...log.events], after: state }, LATE_MS)
  log.writeState(state, LATE_MS)
  const audit = await withDb(urls, async (db) =>
    (await auditBooks(db)).map((finding) => JSON.stringify(finding)),
  )
  return { ...verdict, audit }
}

const walletsOf = (players: readonly Player[]): string[] => players.map(({ address }) => address)

function hasOpenDeposits({ deposits }: Load, state: State): boolean {
  const credited = new Set(state.deposits.map(({ signature }) => signature))
  return [...deposits].some((signature) => !credited.has(signature))
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

/** Runs `work` with the owner's login. */
export async function withDb<T>(
  { databaseUrl }: Pick<GameUrls, 'databaseUrl'>,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const db = openDb(databaseUrl, { max: 2, applicationName: 'fault-test', allowFullScans: true })
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
    const ledger = await openLedger(tx, walletsOf(players))
    for (const { address: wallet } of players) {
      const entries = claimEntries(wallet, cotton(2_000_000_000))
      ledger.post({ wallet, at: new Date(), kind: 'adjustment', detail: { reason: 'test' }, entries })
    }
    ledger.write()
  })
}
