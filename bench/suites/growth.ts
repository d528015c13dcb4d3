import { readHistory } from '#server/account/read-history.ts'
import { submitInBatches } from '#server/actions/submit-in-batches.ts'
import { readBalance } from '#server/ledger/read-balance.ts'
import { readChangedLand } from '#server/parcels/read-land.ts'
import { systemClock } from '#server/platform/clock.ts'
import { claim } from '#server/workers/claim.ts'
import { hire } from '#server/workers/hire.ts'
import { readOwnedWorkers } from '#server/workers/read-workers.ts'
import { type BenchPostgres, PASSWORDS, startBenchPostgres } from '../bench-postgres.ts'
import { burst, unlessRefused } from '../burst.ts'
import { entriesOf, type GrownWorld, growWorld, hirerAt, inTurn, workerAt } from '../growth/grown-world.ts'
import type { Spent } from '../growth/meter.ts'
import { runAsOwner, walletOf } from '../players.ts'
import { keyOn } from '../requests.ts'
import { takeTurns, type TimedWay, wayOf } from '../rounds.ts'
import { type Course, type Measured, suiteOf } from '../suite.ts'

const AT_ONCE = 32

// Over all the time between two checkpoints of a busy game fewer operations than that write a whole page, even in the
// largest world: decision 39.
const SETTLED = 0.5
const LONGEST_WARM_UP = 40

/** The same operations in worlds of different sizes: what one costs should not grow with the world. */
export const growth = suiteOf('Operations in worlds of a thousand and more workers', measure, 25)

/** One operation of a player (1 to the number of workers); true where it was done. */
type Operation = {
  name: string
  /** What the ledger calls it, if it writes. */
  kind?: 'claim' | 'hire'
  open(world: GrownWorld): (player: number) => Promise<boolean>
}

async function measure({ quick, say, closers }: Course): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers })
  const { worlds, facts } = await growWorlds(postgres, {
    sizes: quick ? [1_000, 100_000] : [1_000, 100_000, 1_000_000],
    say,
    closers,
  })
  const timing = { smallest: worlds[0]!.workers, seconds: quick ? 0.4 : 1, done: new Map<string, number>() }
  const waysOf = (operations: readonly Operation[]) =>
    operations.flatMap((operation) => worlds.map((world) => timed(operation, world, timing)))
  const writing = OPERATIONS.filter(({ kind }) => kind !== undefined)
  const rounds = quick ? 3 : 5
  const checkpoint = () => runAsOwner(postgres.ownerUrl, ['checkpoint'])
  const fresh = waysOf(writing.map((operation) => ({ ...operation, name: `${operation.name}${FRESH}` })))
  await takeTurns(fresh, { rounds, say, settle: checkpoint })
  say('Every world is at work until it writes few whole pages …')
  for (const way of waysOf(writing)) await settleDown(way, quick ? 1 : LONGEST_WARM_UP)
  const ways = waysOf(OPERATIONS)
  await takeTurns(ways, { rounds, say })
  // The first round, which is forgotten, is forgotten here too.
  for (const { way } of [...ways, ...fresh])
    for (const figures of Object.values(way.more!)) figures.splice(0, figures.length - rounds)
  say('Reading all the books …')
  for (const world of worlds) await expectBooked(world, timing.done)
  const largest = worlds.at(-1)!.workers
  // What an operation costs is the inverse of how many of them are done.
  const reachOf = ({ name }: Operation) => ({
    what: `cost with ${told(largest)} workers, over that with ${told(timing.smallest)}: ${name}`,
    of: nameOf(name, timing.smallest),
    over: nameOf(name, largest),
  })
  return {
    base: ways[0]!.way.name,
    unit: 'operations',
    ways: [...ways, ...fresh].map(({ way }) => way),
    reach: [
      ...OPERATIONS.map((operation) => ({ ...reachOf(operation), atMost: 1.2 })),
      ...writing.map(({ name }) => reachOf({ ...CLAIM, name: `${name}${FRESH}` })),
    ],
    facts: { ...facts, 'One 8 kB write and fsync on this disk': `${postgres.fsyncMs.toFixed(2)} ms` },
  }
}

const FRESH = ' right after a checkpoint'

async function growWorlds(
  postgres: BenchPostgres,
  { sizes, say, closers }: { sizes: readonly number[] } & Pick<Course, 'say' | 'closers'>,
): Promise<{ worlds: GrownWorld[]; facts: Measured['facts'] }> {
  const worlds: GrownWorld[] = []
  const facts: Measured['facts'] = {}
  for (const workers of sizes) {
    const from = performance.now()
    worlds.push(await growWorld({ ...postgres, passwords: PASSWORDS }, workers, closers))
    const took = `${((performance.now() - from) / 1000).toFixed(1)} s`
    facts[`To fill ${told(workers)} workers and ${told(entriesOf(workers))} entries`] = took
    say(`${told(workers)} workers with ${told(entriesOf(workers))} entries: filled in ${took}.`)
  }
  const { onDisk, cache } = await worlds.at(-1)!.sizes()
  facts['The largest world on the disk, and the cache of Postgres'] = `${onDisk}, ${cache}`
  facts['At once'] = AT_ONCE
  return { worlds, facts }
}

/** Lets a way do its turn until it hardly changes a page that has not been changed since the checkpoint. */
async function settleDown({ way, run }: TimedWay, longest: number): Promise<void> {
  for (let turn = 0; turn < longest; turn++) {
    await run()
    if (way.more![WHOLE_PAGES]!.at(-1)! < SETTLED) return
  }
}

type Timing = { smallest: number; seconds: number; done: Map<string, number> }

/** An operation in a world, and what the two processes and the disk have to do for it. */
function timed({ name, kind, open }: Operation, world: GrownWorld, timing: Timing): TimedWay {
  const act = open(world)
  const nextPlayer = inTurn(world.workers)
  const more = Object.fromEntries(Object.keys(COSTS).map((title): [string, number[]] => [title, []]))
  return {
    way: { ...wayOf(nameOf(name, world.workers), nameOf(name, timing.smallest)), more },
    async run() {
      const before = await world.meter()
      const turn = await burst({ lanes: AT_ONCE, seconds: timing.seconds }, () => act(nextPlayer()))
      const after = await world.meter()
      for (const [title, cost] of Object.entries(COSTS))
        more[title]!.push((cost(after) - cost(before)) / turn.done)
      const booked = nameOf(kind ?? name, world.workers)
      timing.done.set(booked, (timing.done.get(booked) ?? 0) + turn.done)
      return turn
    },
  }
}

const WHOLE_PAGES = 'whole pages in it'

const COSTS: Readonly<Record<string, (spent: Spent) => number>> = {
  'µs of Node': (spent) => spent.nodeSeconds * 1e6,
  'µs of Postgres': (spent) => spent.postgresSeconds * 1e6,
  'pages touched': (spent) => spent.pages,
  'pages from outside of the cache': (spent) => spent.pagesRead,
  'kB of WAL': (spent) => spent.walBytes / 1000,
  [WHOLE_PAGES]: (spent) => spent.wholePages,
}

const told = (count: number): string => count.toLocaleString('en')

const nameOf = (name: string, workers: number): string => `${name}, ${told(workers)} workers`

const CLAIM: Operation = {
  name: 'claim',
  kind: 'claim',
  open({ db }) {
    const submit = submitInBatches({ db, clock: systemClock }, claim)
    return (player) =>
      unlessRefused(
        submit({ wallet: walletOf(player), workerId: workerAt(player), key: keyOn('/api/workers/claim') }),
      )
  },
}

const HIRE: Operation = {
  name: 'hire',
  kind: 'hire',
  open(world) {
    const submit = submitInBatches({ db: world.db, clock: systemClock }, hire)
    return (player) =>
      unlessRefused(
        submit({ wallet: hirerAt(player, world), workerType: 'kid', key: keyOn('/api/workers/purchase') }),
      )
  },
}

const OPERATIONS: readonly Operation[] = [
  CLAIM,
  HIRE,
  {
    name: 'own workers',
    open:
      ({ db }) =>
      async (player) =>
        (await readOwnedWorkers(db, { wallet: walletOf(player), now: systemClock.now() })).workers.length > 0,
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
  for (const [kind, before] of [
    ['claim', world.claimed],
    ['hire', 0],
  ] as const) {
    const acknowledged = done.get(nameOf(kind, world.workers)) ?? 0
    const booked = (await world.count(kind)) - before
    if (booked !== acknowledged) {
      throw new Error(`${acknowledged} of the kind ${kind} were acknowledged and ${booked} were booked`)
    }
  }
}
