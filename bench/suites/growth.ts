import { readHistory } from '#server/account/read-history.ts'
import { submitInBatches } from '#server/actions/submit-in-batches.ts'
import { readBalance } from '#server/ledger/read-balance.ts'
import { readChangedLand } from '#server/parcels/read-land.ts'
import { systemClock } from '#server/platform/clock.ts'
import { claim } from '#server/workers/claim.ts'
import { hire } from '#server/workers/hire.ts'
import { readOwnedWorkers } from '#server/workers/read-workers.ts'
import { type BenchPostgres, PASSWORDS, startBenchPostgres } from '../bench-postgres.ts'
import { load, unlessRefused } from '../load.ts'
import { entriesOf, type FilledWorld, fillWorld, hirerAt, inTurn, workerAt } from '../growth/fill-world.ts'
import type { Cost } from '../growth/read-cost.ts'
import { walletOf } from '../seed-players.ts'
import { keyOn } from '../requests.ts'
import { measureRounds, type TimedVariant, newVariant } from '../measure-rounds.ts'
import { type Run, type Measured, suiteOf } from '../suite.ts'

const AT_ONCE = 32

// Averaged over a checkpoint interval of a busy game, fewer operations than that write a full-page image, even in the
// largest world (decision 39).
const SETTLED = 0.5
const MAX_WARM_UP_ROUNDS = 40

/** The same operations in databases of different sizes. The cost of one should not grow with the database. */
export const growth = suiteOf('Operations with a thousand to a million workers', measure, 25)

/** An operation of a player (1 to the number of workers); true if it succeeded. */
type Operation = {
  name: string
  /** Its kind in the ledger, if it writes. */
  kind?: 'claim' | 'hire'
  open(world: FilledWorld): (player: number) => Promise<boolean>
}

async function measure({ quick, say, closers }: Run): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers })
  const { worlds, facts } = await growWorlds(postgres, {
    sizes: quick ? [1_000, 100_000] : [1_000, 100_000, 1_000_000],
    say,
    closers,
  })
  const timing = { smallest: worlds[0]!.workers, seconds: quick ? 0.4 : 1, done: new Map<string, number>() }
  const variantsOf = (operations: readonly Operation[]) =>
    operations.flatMap((operation) => worlds.map((world) => timed(operation, world, timing)))
  const writing = OPERATIONS.filter(({ kind }) => kind !== undefined)
  const rounds = quick ? 3 : 5
  say('Warming up until few full-page images are written …')
  for (const variant of variantsOf(writing)) await settleDown(variant, quick ? 1 : MAX_WARM_UP_ROUNDS)
  const variants = variantsOf(OPERATIONS)
  await measureRounds(variants, { rounds, say })
  // The warm-up round is discarded here, too.
  for (const { variant } of variants)
    for (const figures of Object.values(variant.more!)) figures.splice(0, figures.length - rounds)
  say('Auditing …')
  for (const world of worlds) await expectBooked(world, timing.done)
  const largest = worlds.at(-1)!.workers
  // The cost is the inverse of the rate.
  const targetOf = ({ name }: Operation) => ({
    what: `cost with ${formatted(largest)} workers, over that with ${formatted(timing.smallest)}: ${name}`,
    of: nameOf(name, timing.smallest),
    over: nameOf(name, largest),
  })
  return {
    base: variants[0]!.variant.name,
    unit: 'operations',
    variants: variants.map(({ variant }) => variant),
    targets: OPERATIONS.map((operation) => ({ ...targetOf(operation), atMost: 1.2 })),
    facts: { ...facts, 'One 8 kB write and fsync on this disk': `${postgres.fsyncMs.toFixed(2)} ms` },
  }
}

async function growWorlds(
  postgres: BenchPostgres,
  { sizes, say, closers }: { sizes: readonly number[] } & Pick<Run, 'say' | 'closers'>,
): Promise<{ worlds: FilledWorld[]; facts: Measured['facts'] }> {
  const worlds: FilledWorld[] = []
  const facts: Measured['facts'] = {}
  for (const workers of sizes) {
    const from = performance.now()
    worlds.push(await fillWorld({ ...postgres, passwords: PASSWORDS }, workers, closers))
    const took = `${((performance.now() - from) / 1000).toFixed(1)} s`
    facts[`To fill ${formatted(workers)} workers and ${formatted(entriesOf(workers))} entries`] = took
    say(`${formatted(workers)} workers with ${formatted(entriesOf(workers))} entries: filled in ${took}.`)
  }
  const { onDisk, cache } = await worlds.at(-1)!.sizes()
  facts['Size of the largest database, and of the cache of Postgres'] = `${onDisk}, ${cache}`
  facts['At once'] = AT_ONCE
  return { worlds, facts }
}

/** Repeats a variant until most of its pages have been changed since the last checkpoint. */
async function settleDown({ variant, run }: TimedVariant, longest: number): Promise<void> {
  for (let turn = 0; turn < longest; turn++) {
    await run()
    if (variant.more![FULL_PAGE_IMAGES]!.at(-1)! < SETTLED) return
  }
}

type Timing = { smallest: number; seconds: number; done: Map<string, number> }

/** An operation with this many workers, and its cost in CPU time, pages and WAL. */
function timed({ name, kind, open }: Operation, world: FilledWorld, timing: Timing): TimedVariant {
  const act = open(world)
  const nextPlayer = inTurn(world.workers)
  const more = Object.fromEntries(Object.keys(COSTS).map((title): [string, number[]] => [title, []]))
  return {
    variant: { ...newVariant(nameOf(name, world.workers), nameOf(name, timing.smallest)), more },
    async run() {
      const before = await world.readCost()
      const turn = await load({ clients: AT_ONCE, seconds: timing.seconds }, () => act(nextPlayer()))
      const after = await world.readCost()
      for (const [title, cost] of Object.entries(COSTS))
        more[title]!.push((cost(after) - cost(before)) / turn.done)
      const booked = nameOf(kind ?? name, world.workers)
      timing.done.set(booked, (timing.done.get(booked) ?? 0) + turn.done)
      return turn
    },
  }
}

const FULL_PAGE_IMAGES = 'full-page images'

const COSTS: Readonly<Record<string, (spent: Cost) => number>> = {
  'µs of Node': (spent) => spent.nodeSeconds * 1e6,
  'µs of Postgres': (spent) => spent.postgresSeconds * 1e6,
  'pages touched': (spent) => spent.pages,
  'pages read from outside the cache': (spent) => spent.pagesRead,
  'kB of WAL': (spent) => spent.walBytes / 1000,
  [FULL_PAGE_IMAGES]: (spent) => spent.fullPageImages,
}

const formatted = (count: number): string => count.toLocaleString('en')

const nameOf = (name: string, workers: number): string => `${name}, ${formatted(workers)} workers`

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

/** Fails unless the ledger has booked exactly what was acknowledged, and the audit is clean. */
async function expectBooked(world: FilledWorld, done: ReadonlyMap<string, number>): Promise<void> {
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
