import { type Action, submitInBatches } from '#server/actions/submit-in-batches.ts'
import type { ActionRequest } from '#server/actions/run-once.ts'
import { systemClock } from '#server/platform/clock.ts'
import { type Db, openDb } from '#server/platform/db/db.ts'
import { openBarePool } from './bare.ts'
import { burstOverHttp, type Load, openLanes } from './burst.ts'
import { EMPTY } from './empty-route.ts'
import { workerOf } from './players.ts'
import { processorOf } from './processor-of.ts'
import { postRequest } from './requests.ts'
import { type TimedWay, type Turn, wayOf } from './rounds.ts'
import { sharedSpenders, wayThatSpends } from './spent.ts'
import type { Child } from './start-child.ts'
import { FLUSH_MS, onSlowerDisk } from './slower-disk.ts'
import { startBothApis, type Wanted } from './start-api.ts'
import type { Course, Reach } from './suite.ts'

const READ_THEN_WRITE = 'read-then-write by node-postgres, 32 at once'
const ALONE = 'over HTTP without gathering, 128 at once'
const NOTHING = 'an empty route of the same server, 128 at once'
const overHttp = (lanes: number) => `over HTTP, ${lanes} at once`
const slowly = (name: string) => `a flush of ${FLUSH_MS} ms more: ${name}`
const inProcess = (lanes: number) => `in process, ${lanes} at once`

/** `sold` where not all that was done are sales. */
export type SaleTurn = Turn & { sold?: number }

/** Buys what is wished for on a lane; true where it was acknowledged. */
export type Buy<Wish> = (wish: Wish, lane: number) => Promise<boolean>

/** Something that is sold, and the ways of buying it. */
export type Sale<Wish> = {
  /** Lets so many lanes buy for so long, each by its own wish. */
  sell(load: Load, buy: Buy<Wish>): Promise<Turn>
  /** The base: one statement, which is the whole transaction. */
  once: { name: string; run(): Promise<Turn> }
  /** The transaction as one writes it first. */
  buyBare(wish: Wish): Promise<boolean>
  /** The product's own action with the gathering before it. */
  buyGathered: Buy<Wish>
  /** The call over HTTP. */
  path: string
  ask(wish: Wish): { player: number; asked: object }
  /** How many buy at once. */
  lanes: readonly number[]
}

/** What every sale is bought over. */
export function openShop(apiUrl: string, { closers }: Pick<Course, 'closers'>) {
  const bare = openBarePool(apiUrl)
  closers.push(() => bare.end())
  const db = openDb(apiUrl, { max: 10, applicationName: 'bench-buyers' })
  closers.push(() => db.end())
  return {
    bare,
    db,
    /** The product's gathering of one request each; whatever is refused fails. */
    gathering<Wish, Q extends ActionRequest>(
      action: Action<Q, unknown>,
      requestOf: (wish: Wish) => Q,
    ): Buy<Wish> {
      const submit = submitInBatches({ db, clock: systemClock }, action)
      return async (wish) => (await submit(requestOf(wish))) !== undefined
    },
  }
}

/** All ways of a sale, the base first. */
export async function openSaleWays<Wish>(
  sale: Sale<Wish>,
  { seconds, owner, ...wanted }: Omit<Wanted, 'closers'> & { seconds: number; owner: Db },
  { closers }: Pick<Course, 'closers'>,
): Promise<TimedWay<SaleTurn>[]> {
  const api = await startBothApis({ ...wanted, closers })
  const { postgres, load } = await sharedSpenders(owner)
  const bare = (name: string, run: () => Promise<SaleTurn>) => wayThatSpends(name, { postgres, load }, run)
  const over = (name: string, { pid }: Child<string>, run: () => Promise<SaleTurn>) =>
    wayThatSpends(name, { api: () => processorOf(pid), postgres, load }, run)
  const askingAt =
    ({ hello }: Child<string>, lanes: number) =>
    async () => {
      const open = await openLanes(hello, lanes)
      const turn = await sale.sell({ lanes, seconds }, (wish, lane) => {
        const { player, asked } = sale.ask(wish)
        return open.ask(lane, postRequest(sale.path, player, asked))
      })
      open.close()
      return turn
    }
  const here = (lanes: number) =>
    wayThatSpends<SaleTurn>(inProcess(lanes), { api: load, postgres }, () =>
      sale.sell({ lanes, seconds }, sale.buyGathered),
    )
  const most = sale.lanes.at(-1)!
  const ways = [
    bare(sale.once.name, sale.once.run),
    bare(READ_THEN_WRITE, () => sale.sell({ lanes: 32, seconds }, sale.buyBare)),
    ...sale.lanes.map((lanes) => over(overHttp(lanes), api.gathering, askingAt(api.gathering, lanes))),
    over(ALONE, api.alone, askingAt(api.alone, 128)),
    over(NOTHING, api.gathering, () => askNothing(api.gathering.hello, seconds)),
    ...sale.lanes.filter((lanes) => lanes >= 128).map(here),
  ]
  const slower = [sale.once.name, READ_THEN_WRITE, overHttp(most), inProcess(most)].map((name) => {
    const { way, run } = ways.find((each) => each.way.name === name)!
    const more = Object.fromEntries(Object.keys(way.more ?? {}).map((heading) => [heading, []]))
    const slow = { ...wayOf(slowly(name), slowly(sale.once.name)), more }
    return { way: slow, run: () => onSlowerDisk(owner, run) }
  })
  return [...ways, ...slower]
}

/** A call that reaches the api and nothing behind it. */
async function askNothing(url: string, seconds: number): Promise<SaleTurn> {
  const request = () => postRequest(EMPTY.path, 1, { workerId: workerOf(1) })
  return { ...(await burstOverHttp(url, { lanes: 128, seconds }, { request })), sold: 0 }
}

/** What a sale is held against, with so many at once. */
export const reachOf = (
  once: string,
  most: number,
  wanted: { overOnce?: number; overBare?: number } = {},
): Reach[] => [
  {
    what: `${most} at once over HTTP, over one statement each`,
    of: overHttp(most),
    over: once,
    ...(wanted.overOnce === undefined ? {} : { atLeast: wanted.overOnce }),
  },
  {
    what: `${most} at once in process, over read-then-write`,
    of: inProcess(most),
    over: READ_THEN_WRITE,
    ...(wanted.overBare === undefined ? {} : { atLeast: wanted.overBare }),
  },
  { what: `${most} at once in process, over one statement each`, of: inProcess(most), over: once },
  { what: '128 at once over HTTP, over the same without gathering', of: overHttp(128), over: ALONE },
  { what: 'an empty route, over one statement each', of: NOTHING, over: once },
  {
    what: `the same with a flush of ${FLUSH_MS} ms more: ${most} at once over HTTP, over one statement each`,
    of: slowly(overHttp(most)),
    over: slowly(once),
  },
  {
    what: `the same with a flush of ${FLUSH_MS} ms more: ${most} at once in process, over read-then-write`,
    of: slowly(inProcess(most)),
    over: slowly(READ_THEN_WRITE),
  },
]
