import { createRandom } from '#tests/simulation/random.ts'
import { quantile } from '../statistics.ts'
import type { Recorded } from './recorded.ts'

/** The cost of telling every socket of one api about a change. */
export type BroadcastModel = {
  /** Fixed cost of a tick, in ms of a processor. */
  fixedMs: number
  /** For each socket, in ms of a processor. */
  perSocketMs: number
  /** Time by the clock for a ms of a processor: what else the loop and the kernel do meanwhile. */
  clockPerMs: number
}

export type Delays = { p50Ms: number; p99Ms: number; busy: number }

/** Changes wait this long for others to share a frame with. */
const TICK_MS = 50

/** How many changes are simulated. */
const CHANGES = 2_000

const ROW = (sockets: string) => `the api, ${sockets} sockets, one change at a time`

/** A straight line through the measurements with 1,000 and 5,000 sockets. Those with 10,000 are left to check it. */
export function calibrate(recorded: Recorded): BroadcastModel {
  const cost = (sockets: string) => recorded('realtime', ROW(sockets), 'ms of the processor a change')
  const perSocketMs = (cost('5,000') - cost('1,000')) / 4_000
  const p99 = recorded('realtime', ROW('5,000'), 'p99')
  return {
    fixedMs: cost('1,000') - 1_000 * perSocketMs,
    perSocketMs,
    clockPerMs: (p99 - TICK_MS) / cost('5,000'),
  }
}

type Simulated = {
  sockets: number
  changesPerSecond: number
  /** At equal distances instead of at random. */
  regular?: boolean
  /** How long a change waits for others. */
  tickMs?: number
  seed?: number
}

/**
 * Simulates one api of a game: changes arrive at random; a tick sends all that have arrived since the last one, to one socket
 * after the other, and a change that arrives meanwhile waits for the next tick. Every api of the game does the same at
 * the same time. Delays are from a change to its arrival at a socket, over all sockets.
 */
export function simulateApi(
  model: BroadcastModel,
  { sockets, changesPerSecond, regular = false, tickMs = TICK_MS, seed = 1 }: Simulated,
): Delays {
  const broadcastMs = (model.fixedMs + sockets * model.perSocketMs) * model.clockPerMs
  const changes = arrivals({ changesPerSecond, regular, seed })
  const delays: number[] = []
  let broadcasts = 0
  let freeAtMs = 0
  for (let at = 0; at < changes.length; broadcasts++) {
    const startMs = Math.max(changes[at]! + tickMs, freeAtMs)
    freeAtMs = startMs + broadcastMs
    for (; at < changes.length && changes[at]! <= startMs; at++)
      // A sample of the sockets: their places in the order of sending.
      for (let place = 0.025; place < 1; place += 0.05)
        delays.push(startMs + place * broadcastMs - changes[at]!)
  }
  return {
    p50Ms: quantile(delays, 0.5),
    p99Ms: quantile(delays, 0.99),
    busy: (broadcasts * broadcastMs) / model.clockPerMs / Math.max(freeAtMs, changes.at(-1)!),
  }
}

/** When changes happen, in ms. */
function arrivals({
  changesPerSecond,
  regular,
  seed,
}: Required<Pick<Simulated, 'changesPerSecond' | 'regular' | 'seed'>>): number[] {
  const random = createRandom(seed)
  let ms = 0
  return Array.from({ length: CHANGES }, () => {
    ms += ((regular ? 1 : -Math.log(1 - random.fraction())) * 1_000) / changesPerSecond
    return ms
  })
}

/** The simulated and the measured figures of a case, and their difference as a share of the measured one. */
export type Check = { what: string; figure: string; simulated: number; measured: number; error: number }

const CHECKED = [
  'the api, 10,000 sockets, one change at a time',
  'the api, 10,000 sockets, ten changes a tick',
]

/** Compares the model with measurements that it was not made from. */
export function checkModel(recorded: Recorded, model: BroadcastModel): Check[] {
  return CHECKED.flatMap((what) => {
    const measured = (column: string) => recorded('realtime', what, column)
    const simulated = simulateApi(model, {
      sockets: 10_000,
      changesPerSecond: measured('announced/s'),
      regular: true,
    })
    const check = (figure: string, of: number, to: number): Check => {
      return { what, figure, simulated: of, measured: to, error: of / to - 1 }
    }
    return [
      check('p50, ms', simulated.p50Ms, measured('p50')),
      check('p99, ms', simulated.p99Ms, measured('p99')),
      check('share of a core, %', simulated.busy * 100, measured('share of a core (%)')),
    ]
  })
}
