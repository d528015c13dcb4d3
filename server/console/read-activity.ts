import type { readBooksHistory } from '#contract/console/books.ts'
import type { readActivity as route } from '#contract/console/today.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { addedBetween } from '#server/solvency/record-credit-supply.ts'
import { exact, exactOrNull, instant } from './exact.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type Hour = {
  hour: Date
  players: number
  newPlayers: number
  claims: number
  hires: number
  parcels: number
  resales: number
  volume: bigint
  deposited: bigint
  withdrawn: bigint
  pool: bigint | null
  tokens: bigint | null
  owed: bigint | null
  emitted: bigint | null
  burned: bigint | null
  spent: bigint | null
}

// At most 32 days of hours. The totals of credit at the end of an hour are one row of another index each.
const readHours = sql({
  name: 'console-read-hours',
  params: { from: 'timestamptz', before: 'timestamptz' },
  row: rowOf<Hour>(),
  text: ({ from, before }) =>
    `select h.hour, h.players, h.new_players as "newPlayers", h.claims, h.hires, h.parcels, h.resales, h.volume,
       h.deposited, h.withdrawn, h.pool, h.tokens, h.owed, s.emitted, s.burned, s.spent
     from hourly_totals h left join lateral (
       select emitted, burned, spent from supply_history where at <= h.hour + interval '1 hour' order by at desc limit 1
     ) s on true
     where h.hour >= ${from} and h.hour < ${before} order by h.hour`,
})

type Point = ConsoleReply<typeof route>['points'][number]
type BooksPoint = ConsoleReply<typeof readBooksHistory>['points'][number]
type Span = 'day' | 'month'

type Chart = { start: number; points: [at: number, hours: Hour[]][] }

/** The points of a chart, and the hour or day before it, for differences. The present hour is not over. */
async function readChart(db: Queryable, { span, now }: { span: Span; now: Date }): Promise<Chart> {
  const length = span === 'day' ? DAY_MS : 30 * DAY_MS
  const step = span === 'day' ? HOUR_MS : DAY_MS
  const end = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS
  // Thirty days with today, which is not over: from the floor it would be thirty-one.
  const start = Math.ceil((end - length) / step) * step
  const hours = await db.rows(readHours, { from: new Date(start - step), before: new Date(end) })
  return { start, points: [...Map.groupBy(hours, ({ hour }) => Math.floor(hour.getTime() / step) * step)] }
}

const sum = (hours: readonly Hour[], of: (hour: Hour) => number): number =>
  hours.reduce((total, hour) => total + of(hour), 0)

const sumUnits = (hours: readonly Hour[], of: (hour: Hour) => bigint): string =>
  exact(hours.reduce((total, hour) => total + of(hour), 0n))

/** The points of a chart of what players did. */
export async function readActivity(db: Queryable, of: { span: Span; now: Date }): Promise<Point[]> {
  const { start, points } = await readChart(db, of)
  const shown = points.filter(([at]) => at >= start)
  return shown.map(([at, hours]) => ({
    at: instant(new Date(at)),
    players: Math.max(...hours.map(({ players }) => players)),
    newPlayers: sum(hours, ({ newPlayers }) => newPlayers),
    claims: sum(hours, ({ claims }) => claims),
    hires: sum(hours, ({ hires }) => hires),
    parcels: sum(hours, ({ parcels }) => parcels),
    resales: sum(hours, ({ resales }) => resales),
    volume: sumUnits(hours, ({ volume }) => volume),
    deposited: sumUnits(hours, ({ deposited }) => deposited),
    withdrawn: sumUnits(hours, ({ withdrawn }) => withdrawn),
  }))
}

/** The points of a chart of the books: the last hour of each, and what was added since the point before. */
export async function readBooksPoints(db: Queryable, of: { span: Span; now: Date }): Promise<BooksPoint[]> {
  const { start, points } = await readChart(db, of)
  const ends = points.map(([at, hours]) => ({ at, end: hours.at(-1)! }))
  return ends.flatMap(({ at: from, end }, index) => {
    const before = ends[index - 1]?.end
    if (from < start) return []
    const added = (of: 'emitted' | 'burned' | 'spent') =>
      exact(addedBetween({ from: before?.[of] ?? 0n, to: end[of] ?? 0n }))
    const point = {
      at: instant(new Date(end.hour.getTime() + HOUR_MS)),
      tokens: exactOrNull(end.tokens),
      owed: exactOrNull(end.owed),
      pool: exactOrNull(end.pool),
      emitted: added('emitted'),
      burned: added('burned'),
      spent: added('spent'),
    }
    return [point]
  })
}
