import { type BenchPostgres, startBenchPostgres } from '../bench-postgres.ts'
import { entriesOf, type FilledWorld, fillWorld, formatted } from '../growth/fill-world.ts'
import { AT_ONCE, FULL_PAGE_IMAGES, nameOf, type Operation, OPERATIONS, timed } from '../growth/operations.ts'
import { measureRounds, type TimedVariant } from '../measure-rounds.ts'
import { type Run, type Measured, suiteOf } from '../suite.ts'

// Averaged over a checkpoint interval of a busy game, fewer operations than that write a full-page image, even in the
// largest world (decision 39).
const SETTLED = 0.5
const MAX_WARM_UP_ROUNDS = 40

/** The same operations in databases of different sizes. The cost of one should not grow with the database. */
export const growth = suiteOf('Operations with a thousand to a million workers', measure, 25)

async function measure({ quick, say, closers }: Run): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers })
  const { worlds, facts } = await growWorlds(postgres, {
    sizes: quick ? [1_000, 100_000] : [1_000, 100_000, 1_000_000],
    say,
    closers,
  })
  const [smallest, largest] = [worlds[0]!, worlds.at(-1)!]
  const timing = { base: smallest.label, seconds: quick ? 0.4 : 1, done: new Map<string, number>() }
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
  // The cost is the inverse of the rate.
  const targetOf = ({ name }: Operation) => ({
    what: `cost with ${formatted(largest.workers)} workers, over that with ${formatted(smallest.workers)}: ${name}`,
    of: nameOf(name, smallest),
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
    worlds.push(await fillWorld(postgres, workers, closers))
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

/** Fails unless the ledger has booked exactly what was acknowledged, and the audit is clean. */
async function expectBooked(world: FilledWorld, done: ReadonlyMap<string, number>): Promise<void> {
  await world.audit()
  for (const [kind, before] of [
    ['claim', world.claimed],
    ['hire', 0],
  ] as const) {
    const acknowledged = done.get(nameOf(kind, world)) ?? 0
    const booked = (await world.count(kind)) - before
    if (booked !== acknowledged) {
      throw new Error(`${acknowledged} of the kind ${kind} were acknowledged and ${booked} were booked`)
    }
  }
}
