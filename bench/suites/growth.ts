import { readHistory } from '#server/account/read-history.ts'
import { submitting } from '#server/account/submit.ts'
import { readBalance } from '#server/ledger/read-balance.ts'
import { readChangedLand } from '#server/parcels/read-land.ts'
import { systemClock } from '#server/platform/clock.ts'
import { claim } from '#server/workers/claim.ts'
import { hire } from '#server/workers/hire.ts'
import { readOwnedWorkers } from '#server/workers/read-workers.ts'
import { PASSWORDS, startBenchPostgres } from '../bench-postgres.ts'
import { burst, unlessRefused } from '../burst.ts'
import { entriesOf, type GrownWorld, growWorld, inTurn, workerAt } from '../growth/grown-world.ts'
import type { Spent } from '../growth/meter.ts'
import { runAsOwner, walletOf } from '../players.ts'
import { keyOn } from '../requests.ts'
import { takeTurns, type TimedWay, wayOf } from '../rounds.ts'
import { type Course, type Measured, suiteOf } from '../suite.ts'

const AT_ONCE = 32

/** The same operations in worlds of different sizes: what one costs should not grow with the world. */
export const growth = suiteOf('Operations in worlds of a thousand and more workers', measure)

/** One operation of a player (1 to the number of workers); true where it was done. */
type Operation = {
  name: string
  open(world: GrownWorld): (player: number) => Promise<boolean>
  /** Takes away, when the time is up, what would make the next operations unlike those of another world. */
  tidy?(world: GrownWorld): Promise<void>
}

async function measure({ quick, say, closers }: Course): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers })
  const sizes = quick ? [1_000, 100_000] : [1_000, 100_000, 1_000_000]
  const worlds: GrownWorld[] = []
  const filled: Record<string, string> = {}
  for (const workers of sizes) {
    const from = performance.now()
    worlds.push(await growWorld({ ...postgres, passwords: PASSWORDS }, workers, closers))
    const took = `${((performance.now() - from) / 1000).toFixed(1)} s`
    filled[`To fill ${told(workers)} workers and ${told(entriesOf(workers))} entries`] = took
    say(`${told(workers)} workers with ${told(entriesOf(workers))} entries: filled in ${took}.`)
  }
  // No world has its pages in the log yet: the first change of each page in the rounds is written whole.
  await runAsOwner(postgres.ownerUrl, ['checkpoint'])
  const done = new Map<string, number>()
  const seconds = quick ? 0.4 : 1
  const ways = OPERATIONS.flatMap((operation) =>
    worlds.map((world) => {
      const base = nameOf(operation, sizes[0]!)
      return timed(operation, world, {
        base,
        seconds,
        count: (name, turn) => done.set(name, (done.get(name) ?? 0) + turn),
      })
    }),
  )
  await takeTurns(ways, { rounds: quick ? 3 : 5, say })
  // The first round, which warms up, is forgotten here too.
  for (const { way } of ways) for (const figures of Object.values(way.more ?? {})) figures.shift()
  say('Reading all the books …')
  for (const world of worlds) await expectBooked(world, done)
  const largest = sizes.at(-1)!
  return {
    base: ways[0]!.way.name,
    unit: 'operations',
    ways: ways.map(({ way }) => way),
    // What an operation costs is the inverse of how many of them are done.
    reach: OPERATIONS.map((operation) => ({
      what: `cost with ${told(largest)} workers, over that with ${told(sizes[0]!)}: ${operation.name}`,
      of: nameOf(operation, sizes[0]!),
      over: nameOf(operation, largest),
      atMost: 1.2,
    })),
    facts: {
      ...filled,
      ...(await cacheFacts(worlds.at(-1)!)),
      'At once': AT_ONCE,
      'One 8 kB write and fsync on this disk': `${postgres.fsyncMs.toFixed(2)} ms`,
    },
  }
}

type Timing = { base: string; seconds: number; count(name: string, done: number): void }

/** An operation in a world, and what the two processes and the disk have to do for it. */
function timed(operation: Operation, world: GrownWorld, { base, seconds, count }: Timing): TimedWay {
  const name = nameOf(operation, world.workers)
  const act = operation.open(world)
  const nextPlayer = inTurn(world.workers)
  const more = Object.fromEntries(Object.keys(COSTS).map((title): [string, number[]] => [title, []]))
  return {
    way: { ...wayOf(name, base), more },
    async run() {
      const before = await world.meter()
      const turn = await burst({ lanes: AT_ONCE, seconds }, () => act(nextPlayer()))
      const after = await world.meter()
      for (const [title, cost] of Object.entries(COSTS))
        more[title]!.push((cost(after) - cost(before)) / turn.done)
      count(name, turn.done)
      await operation.tidy?.(world)
      return turn
    },
  }
}

async function cacheFacts(world: GrownWorld): Promise<Record<string, string>> {
  const { onDisk, cache } = await world.sizes()
  return { [`${told(world.workers)} workers on the disk, and the cache of Postgres`]: `${onDisk}, ${cache}` }
}

const COSTS: Readonly<Record<string, (spent: Spent) => number>> = {
  'µs of Node': (spent) => spent.nodeSeconds * 1e6,
  'µs of Postgres': (spent) => spent.postgresSeconds * 1e6,
  'pages touched': (spent) => spent.pages,
  'pages from outside of the cache': (spent) => spent.pagesRead,
  'kB of WAL': (spent) => spent.walBytes / 1000,
  'whole pages in it': (spent) => spent.wholePages,
}

const told = (count: number): string => count.toLocaleString('en')

const nameOf = ({ name }: Operation, workers: number): string => `${name}, ${told(workers)} workers`

const CLAIM: Operation = {
  name: 'claim',
  open({ db }) {
    const submit = submitting({ db, clock: systemClock }, claim)
    return (player) =>
      unlessRefused(
        submit({ wallet: walletOf(player), workerId: workerAt(player), key: keyOn('/api/workers/claim') }),
      )
  },
}

const HIRE: Operation = {
  name: 'hire',
  open({ db }) {
    const submit = submitting({ db, clock: systemClock }, hire)
    return (player) =>
      unlessRefused(
        submit({ wallet: walletOf(player), workerType: 'kid', key: keyOn('/api/workers/purchase') }),
      )
  },
  tidy: (world) => world.sendKidsHome(),
}

const OPERATIONS: readonly Operation[] = [
  CLAIM,
  HIRE,
  {
    name: 'own workers',
    open:
      ({ db }) =>
      async (player) =>
        (await readOwnedWorkers(db, { wallet: walletOf(player), now: systemClock.now() })).length > 0,
  },
  {
    name: 'balance',
    open:
      ({ db }) =>
      async (player) =>
        (await readBalance(db, walletOf(player))).deposited > 0n,
  },
  {
    name: 'history',
    open:
      ({ db }) =>
      async (player) =>
        (await readHistory(db, { wallet: walletOf(player), before: undefined, limit: 5 })).items.length === 5,
  },
  {
    name: 'all land',
    open:
      ({ db }) =>
      async () =>
        (await readChangedLand(db, new Map())).size === 7,
  },
]

/** Fails where the ledger has not booked exactly what was acknowledged, or any book is off. */
async function expectBooked(world: GrownWorld, done: ReadonlyMap<string, number>): Promise<void> {
  await world.audit()
  for (const [operation, kind, before] of [
    [CLAIM, 'claim', world.claimed],
    [HIRE, 'hire', 0],
  ] as const) {
    const acknowledged = done.get(nameOf(operation, world.workers)) ?? 0
    const booked = (await world.count(kind)) - before
    if (booked !== acknowledged) {
      throw new Error(`${acknowledged} of the kind ${kind} were acknowledged and ${booked} were booked`)
    }
  }
}
