import { readHistory } from '#server/account/read-history.ts'
import type { Db, Sql } from '#server/platform/db/db.ts'
import { planOf, recordStatements, wholeReads } from '#tests/support/generic-plan.ts'
import { openOwnerDb } from '../audit.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { cleanUp, waitForVacuum } from '../growth/clean-year.ts'
import { formatted, type OpenedWorld } from '../growth/fill-world.ts'
import { fillYear, MOVES_A_DAY } from '../growth/fill-year.ts'
import { AT_ONCE, nameOf, type Operation, OPERATIONS, timed } from '../growth/operations.ts'
import { measureRounds } from '../measure-rounds.ts'
import { walletOf } from '../seed-players.ts'
import { type Measured, type Run, suiteOf } from '../suite.ts'

/** A hundred take 3 GB. How deep the history of each is does not depend on their number; the growth suite measures many. */
const PLAYERS = Number(process.env.YEAR_PLAYERS ?? 100)

const YOUNG_DAYS = 2
const MOST_OVER_YOUNG = 2

/** A year of players who are busy every day: its cleanup, its plans, and what operations cost, over those of two days. */
export const year = suiteOf('Operations after a year of a busy game', measure, 40)

async function measure({ quick, say, closers }: Run): Promise<Measured> {
  const [players, days, uncleanedDays] = quick ? [20, 60, 5] : [PLAYERS, 365, 14]
  const postgres = await startBenchPostgres({ closers })
  const young = await fillYear(postgres, { players, days: YOUNG_DAYS, uncleanedDays, closers })
  const from = performance.now()
  const old = await fillYear(postgres, { players, days, uncleanedDays, closers })
  const filledIn = ((performance.now() - from) / 1_000).toFixed(0)
  const journals = players * days * MOVES_A_DAY
  say(`${formatted(journals)} journals of ${days} days: filled in ${filledIn} s. Removing what expired …`)
  const owner = openOwnerDb(old.ownerUrl, { closers })
  const cleaned = await cleanUp(old.db, owner)
  say(`${formatted(cleaned.removed)} rows removed in ${cleaned.seconds.toFixed(0)} s. Checking plans …`)
  const statements = await expectPlansByKey(old)
  const worlds = [young, old]
  const timing = { base: young.label, seconds: quick ? 0.4 : 1, done: new Map<string, number>() }
  const operations = [...OPERATIONS, ...OF_RARE_MOVES]
  const variants = operations.flatMap((operation) => worlds.map((world) => timed(operation, world, timing)))
  await measureRounds(variants, { rounds: quick ? 3 : 7, say })
  for (const { variant } of variants) for (const figures of Object.values(variant.more!)) figures.splice(0, 1)
  say('Waiting for autovacuum …')
  const vacuumed = await waitForVacuum(owner)
  say('Auditing …')
  for (const world of worlds) await world.audit()
  const { onDisk, cache } = await old.sizes()
  return {
    base: variants[0]!.variant.name,
    unit: 'operations',
    variants: variants.map(({ variant }) => variant),
    // By the work, not by the clock, which shows what else the machine does.
    targets: ['µs of Postgres', 'pages touched'].flatMap((figure) =>
      operations.map(({ name }) => ({
        what: `${figure} after ${days} days, over those after ${YOUNG_DAYS}: ${name}`,
        of: nameOf(name, old),
        over: nameOf(name, young),
        figure,
        atMost: MOST_OVER_YOUNG,
      })),
    ),
    more: [
      {
        title: 'Dead rows when autovacuum has nothing more to do:',
        columns: ['table', 'rows', 'dead rows', 'automatic vacuums'],
        rows: vacuumed.left.map(({ table, live, dead, vacuums }) => [table, live, dead, vacuums]),
      },
    ],
    facts: {
      Players: `${players}, each with ${MOVES_A_DAY} moves a day`,
      'Journals, and time to fill them': `${formatted(journals)}, ${filledIn} s`,
      'Size of the database, and of the cache of Postgres': `${onDisk}, ${cache}`,
      'Rows that had expired, of all kinds': formatted(cleaned.removed),
      'Steps of the cleanup, and most rows in a step': `${cleaned.steps}, ${cleaned.mostInAStep}`,
      'Time of a step of the cleanup, median and longest': `${cleaned.medianMs.toFixed(1)} ms, ${cleaned.longestMs.toFixed(1)} ms`,
      'Time of the cleanup with its pauses': `${cleaned.seconds.toFixed(0)} s`,
      'Statements whose plans find rows by key': statements,
      'Time until autovacuum was done after the last round': `${vacuumed.seconds.toFixed(0)} s`,
      'At once': AT_ONCE,
    },
  }
}

/** Reads of what is rare among the moves of a player. */
const OF_RARE_MOVES: readonly Operation[] = [
  {
    name: 'history of a kind',
    open:
      ({ db }) =>
      async (player) =>
        (
          await readHistory(
            db,
            { wallet: walletOf(player), before: undefined, limit: 1 },
            { kind: 'deposit' },
          )
        ).items.length === 1,
  },
]

/** Runs every operation once, and fails if the plan of a statement that it sends reads all of a growing table. Returns their number. */
async function expectPlansByKey(world: OpenedWorld): Promise<number> {
  const sent = new Map<string, Sql>()
  const db: Db = {
    ...world.db,
    rows: recordStatements(world.db, sent).rows,
    transaction: (work) => world.db.transaction((tx) => work(recordStatements(tx, sent))),
  }
  for (const { open } of [...OPERATIONS, ...OF_RARE_MOVES]) await open({ ...world, db })(1)
  for (const statement of sent.values()) {
    const plan = await planOf(world.db, statement)
    if (wholeReads(plan).length > 0) throw new Error(`${statement.name}:\n${plan.join('\n')}`)
  }
  return sent.size
}
