import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import { cpuTimeOf, cpuTimeWithChildren, cpuTimeWithEnded, parentOf } from './cpu-time.ts'
import { type Measurement, newVariant, type TimedVariant } from './measure-rounds.ts'
import type { Child } from './start-child.ts'

const COLUMNS = {
  api: 'µs of the api',
  postgres: 'µs of Postgres',
  load: 'µs of the load generator',
}

/** Reads the CPU time that each process has used, in seconds; undefined on systems that do not report it. */
export type CpuSources = Partial<Record<keyof typeof COLUMNS, () => number | undefined>>

const readPid = sql({
  name: 'bench-pid',
  row: rowOf<{ pid: number }>(),
  text: 'select pg_backend_pid() as pid',
})

/** Postgres with all its processes, and this process with its ended children. */
export async function sharedCpuSources(
  db: Db,
): Promise<Required<Pick<CpuSources, 'postgres' | 'load'>> & { of(...apis: Child<string>[]): CpuSources }> {
  const [{ pid } = { pid: 0 }] = await db.rows(readPid)
  // Read at once: the backend of an idle connection ends.
  const postmaster = parentOf(pid) ?? 0
  const shared = {
    postgres: () => cpuTimeWithChildren(postmaster),
    load: () => cpuTimeWithEnded(process.pid),
  }
  const sumOf = (apis: readonly Child<string>[]) => () =>
    apis.reduce((sum, { pid }) => sum + (cpuTimeOf(pid) ?? NaN), 0)
  return { ...shared, of: (...apis) => ({ api: sumOf(apis), ...shared }) }
}

/** A variant that also reports the CPU time of each process for one operation. */
export function withCpuTime<T extends Measurement & { refused?: number }>(
  name: string,
  sources: CpuSources,
  { base, run }: { base?: string; run: () => Promise<T> },
): TimedVariant<T> {
  const measured = (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).filter((each) => sources[each])
  const read = () => measured.map((each) => sources[each]!() ?? NaN)
  return {
    // Every variant has all columns, in this order.
    variant: {
      ...newVariant(name, base),
      more: Object.fromEntries(Object.values(COLUMNS).map((each) => [each, []])),
    },
    async run() {
      const before = read()
      const measurement = await run()
      const used = read().map((seconds, at) => seconds - before[at]!)
      if (used.some(Number.isNaN)) return measurement
      const requests = measurement.done + (measurement.refused ?? 0)
      const more = measured.map((one, at) => [COLUMNS[one], (used[at]! / requests) * 1e6] as const)
      return { ...measurement, more: { ...measurement.more, ...Object.fromEntries(more) } }
    },
  }
}
