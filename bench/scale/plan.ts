import type { Cost } from './costs.ts'
import { type Habits, MAX_BUSY, PEAK } from './habits.ts'
import { type BroadcastModel, simulateApi } from './sockets.ts'

const DAY_S = 86_400
const MAX_P99_MS = 500

/** What a game needs at its busiest second, and what it stores in a day. */
export type Plan = {
  players: number
  sockets: number
  actionsPerSecond: number
  changesPerSecond: number
  apis: number
  /** With a tick of LONG_TICK_MS. */
  apisWithLongTick: number
  /** Processors that the requests alone keep busy, in all apis. */
  requestCores: number
  postgresCores: number
  walMbPerSecond: number
  storedGbPerDay: number
  keysGb: number
}

/** A tick that would serve a very large game: later news, fewer writes. */
export const LONG_TICK_MS = 250

/** How long a key is kept. */
const KEY_DAYS = 2

/** The operations that change what other players see. */
const CHANGES = ['hire', 'purchase of land', 'resale']

/** The operations with entries in the ledger. */
const ACTIONS = [...CHANGES, 'claim', 'deposit', 'withdrawal']

/** What this many players with these habits need, if each plays every day. */
export function planFor(
  players: number,
  { minutes, perDay }: Habits,
  costs: readonly Cost[],
  model: BroadcastModel,
): Plan {
  const perSecond = (what: string) => (players * (perDay[what] ?? 0)) / DAY_S
  const sum = (of: (cost: Cost) => number) =>
    costs.reduce((total, cost) => total + perSecond(cost.what) * of(cost), 0)
  const rate = (names: readonly string[]) => names.reduce((total, what) => total + perSecond(what), 0)
  const sockets = Math.round((players * minutes * PEAK) / (24 * 60))
  const changesPerSecond = rate(CHANGES) * PEAK
  const requestCores = (sum(({ apiUs }) => apiUs) * PEAK) / 1e6
  return {
    players,
    sockets,
    actionsPerSecond: rate(ACTIONS) * PEAK,
    changesPerSecond,
    apis: countApis({ sockets, changesPerSecond, requestCores }, model),
    apisWithLongTick: countApis({ sockets, changesPerSecond, requestCores, tickMs: LONG_TICK_MS }, model),
    requestCores,
    postgresCores: (sum(({ postgresUs }) => postgresUs) * PEAK) / 1e6,
    walMbPerSecond: (sum(({ walKb }) => walKb) * PEAK) / 1e3,
    storedGbPerDay: (sum(({ storedKb }) => storedKb) * DAY_S) / 1e6,
    keysGb: (sum(({ keyKb }) => keyKb) * DAY_S * KEY_DAYS) / 1e6,
  }
}

type Peak = { sockets: number; changesPerSecond: number; requestCores: number; tickMs?: number }

/** The smallest number of apis that are at most half busy and whose last socket hears of a change in time. */
function countApis({ sockets, requestCores, ...load }: Peak, model: BroadcastModel): number {
  const isEnough = (apis: number): boolean => {
    const { busy, p99Ms } = simulateApi(model, { ...load, sockets: sockets / apis })
    return busy + requestCores / apis <= MAX_BUSY && p99Ms <= MAX_P99_MS
  }
  let [tooFew, enough] = [0, 1]
  while (!isEnough(enough)) [tooFew, enough] = [enough, enough * 2]
  while (enough - tooFew > 1) {
    const middle = (tooFew + enough) >> 1
    if (isEnough(middle)) enough = middle
    else tooFew = middle
  }
  return enough
}
