import { availableParallelism } from 'node:os'
import { type Db, sql } from '#server/platform/db/db.ts'
import { parentOf, processorWithChildren, processorWithEnded } from './processor-of.ts'
import { type TimedWay, type Turn, wayOf } from './rounds.ts'

const COLUMNS = {
  api: 'µs of the api',
  postgres: 'µs of Postgres',
  load: 'µs of the load generator',
}
const MOST = 'a second, if no processor waited'

/** Seconds of the processor so far, of each who has a part in it; undefined where the machine does not tell. */
export type Spenders = Partial<Record<keyof typeof COLUMNS, () => number | undefined>>

const readPid = sql('bench-pid', 'select pg_backend_pid() as pid')

/** Postgres with all its processes, and this process with the programs that it started and that have ended. */
export async function sharedSpenders(db: Db): Promise<Required<Pick<Spenders, 'postgres' | 'load'>>> {
  const [{ pid } = { pid: 0 }] = await db.rows<{ pid: number }>(readPid)
  // At once: a connection that is left alone is closed, and its process gone.
  const postmaster = parentOf(pid) ?? 0
  return {
    postgres: () => processorWithChildren(postmaster),
    load: () => processorWithEnded(process.pid),
  }
}

/**
 * A way that also tells what each took of the processors for one of what was done, and how many that would be in a
 * second if no processor ever waited for anything.
 */
export function wayThatSpends<T extends Turn & { refused?: number }>(
  name: string,
  spenders: Spenders,
  run: () => Promise<T>,
): TimedWay<T> {
  const who = (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).filter((each) => spenders[each])
  const read = () => who.map((each) => spenders[each]!())
  return {
    // All columns are there in this order, whoever of them has a figure.
    way: {
      ...wayOf(name),
      more: Object.fromEntries([...Object.values(COLUMNS), MOST].map((each) => [each, []])),
    },
    async run() {
      const before = read()
      const turn = await run()
      const spent = read().map((seconds, at) => (seconds ?? NaN) - (before[at] ?? NaN))
      const all = spent.reduce((sum, seconds) => sum + seconds)
      if (Number.isNaN(all)) return turn
      const asked = turn.done + (turn.refused ?? 0)
      const each = who.map((one, at) => [COLUMNS[one], (spent[at]! / asked) * 1e6] as const)
      const most = Math.round((availableParallelism() * asked) / all)
      return { ...turn, more: { ...Object.fromEntries(each), [MOST]: most } }
    },
  }
}
