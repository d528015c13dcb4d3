import type { Pool } from 'pg'
import type { ActionRequest } from '#server/actions/run-once.ts'
import { submitInBatches } from '#server/actions/submit-in-batches.ts'
import { granted } from '#server/platform/answer.ts'
import { systemClock } from '#server/platform/clock.ts'
import { type Db, sql } from '#server/platform/db/db.ts'
import { inTransaction } from './bare.ts'
import { burst } from './burst.ts'
import { type Clients, findBestClients, pgbenchRunning } from './pgbench.ts'
import type { TimedWay, Turn } from './rounds.ts'
import { sharedSpenders, type Spenders, wayThatSpends } from './spent.ts'
import type { Course, Reach } from './suite.ts'

/** A row that everybody wants. The last of its figures counts how often it was moved. */
export type HotRow = {
  /** Moves it, as a statement that is its transaction. */
  once: string
  read: string
  /** Takes its figures in the order in which they are read. */
  write: string
  /** What one move makes of them. */
  move(figures: readonly bigint[]): bigint[]
}

const LANES = 512
const BARE = 'the hot row alone, read-then-write by node-postgres, 32 at once'
const GATHERED = `the hot row alone, gathered in process, ${LANES} at once`

/** What only moves the hot row sells nothing. */
export type MoveTurn = Turn & { sold?: 0 }

type HotRowOptions = { row: HotRow; apiUrl: string; owner: Db; db: Db; bare: Pool; seconds: number }

/**
 * The hot row without all else that a sale keeps: moved by one statement each, read and then written, and by batches
 * that are gathered as the product's are.
 */
export async function openHotRow(
  { row, apiUrl, owner, db, bare, seconds }: HotRowOptions,
  course: Course,
): Promise<{ ways: TimedWay<MoveTurn>[]; reach: Reach[] }> {
  const [read, write] = [sql('bench-hot-read', row.read), sql('bench-hot-write', row.write)]
  const figures = async () => figuresOf((await owner.rows<object>(read))[0]!)
  /** The row must have moved as often as was acknowledged, and is then as it was before. */
  const checked = async (run: () => Promise<Turn>): Promise<MoveTurn> => {
    const before = await figures()
    const turn = await run()
    const moves = Number((await figures()).at(-1)! - before.at(-1)!)
    if (moves !== turn.done) throw new Error(`${turn.done} moves were acknowledged and ${moves} were made`)
    await owner.rows(write, before)
    return { ...turn, sold: 0 }
  }
  const script = { apiUrl, script: `${row.once};\n`, variables: {} }
  const { name, run } = pgbenchRunning('the hot row alone, one statement each', script, course)
  const once = { name, run: (load: Clients) => checked(() => run(load)) }
  const clients = await findBestClients(once, course.quick ? [1, 8] : [1, 2, 4, 8, 16])
  const gathered = movingInBatches(db, row)
  const { postgres, load } = await sharedSpenders(owner)
  const way = (each: string, spenders: Spenders, move: () => Promise<MoveTurn>): TimedWay<MoveTurn> => {
    const { way: spends, run: moving } = wayThatSpends(each, spenders, move)
    return { way: { ...spends, base: once.name }, run: moving }
  }
  return {
    ways: [
      way(once.name, { postgres, load }, () => once.run({ clients, seconds })),
      way(BARE, { postgres, load }, () =>
        checked(() => burst({ lanes: 32, seconds }, () => moveBare(bare, row))),
      ),
      way(GATHERED, { api: load, postgres }, () => checked(() => burst({ lanes: LANES, seconds }, gathered))),
    ],
    reach: [
      { what: 'the hot row alone, gathered, over one statement each', of: GATHERED, over: once.name },
      { what: 'the hot row alone, gathered, over read-then-write', of: GATHERED, over: BARE },
    ],
  }
}

const figuresOf = (row: object): bigint[] => Object.values(row).map((figure) => BigInt(figure as bigint))

/** The product's own gathering of requests, of which each moves the row by one. */
function movingInBatches(db: Db, row: HotRow): () => Promise<boolean> {
  const [lock, write] = [sql('bench-hot-lock', `${row.read} for update`), sql('bench-hot-move', row.write)]
  const submit = submitInBatches<ActionRequest, bigint>({ db, clock: systemClock }, async (tx, asked) => {
    let figures = figuresOf((await tx.rows<object>(lock))[0]!)
    const answers = asked.map(() => {
      figures = row.move(figures)
      return granted(figures[0]!)
    })
    void tx.rows(write, figures)
    return answers
  })
  return async () => (await submit({ wallet: '', key: null })) > 0n
}

/** As one writes it first: read and locked, worked out, written. */
const moveBare = (pool: Pool, row: HotRow): Promise<boolean> =>
  inTransaction(pool, async (run) => {
    const [read] = await run('bare-hot', `${row.read} for update`, [])
    await run('bare-hot-move', row.write, row.move(figuresOf(read!)))
    return true
  })
