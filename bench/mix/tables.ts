import { median, quantile } from '../statistics.ts'
import type { Table } from '../suite.ts'
import type { Kind } from './evening.ts'
import type { Answers, Played } from './play.ts'
import type { Waits } from './sample-waits.ts'
import { byRoom, type SelfTime } from './self-time.ts'
import type { StatementTime } from '../statement-times.ts'

const ms = (value: number): string => `${value.toFixed(1)} ms`

/** What each kind of request met. */
export function requestsTable(kinds: readonly Kind[], played: readonly Played[]): Table {
  const each = kinds.map(({ name }) => {
    const of = (read: (answers: Answers, seconds: number) => number) =>
      median(played.map(({ answers, seconds }) => read(answers.get(name)!, seconds)))
    return [
      name,
      Math.round(of(({ latencies }, seconds) => latencies.length / seconds)),
      ms(of(({ latencies }) => quantile(latencies, 0.5))),
      ms(of(({ latencies }) => quantile(latencies, 0.99))),
      `${Math.round(of(({ refused, latencies }) => (refused / latencies.length) * 100))} %`,
    ]
  })
  return { columns: ['requests', 'per second', 'p50', 'p99', 'refused, as somebody was quicker'], rows: each }
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

/** Where the api spent its processor. */
export const roomsTable = (spent: readonly SelfTime[]): Table => ({
  columns: ['room', 'share'],
  rows: byRoom(spent)
    .slice(0, 14)
    .map(({ room, share }) => [room, percent(share)]),
})

/** The same by file, with what it did there. */
export const filesTable = (spent: readonly SelfTime[]): Table => ({
  columns: ['file or package', 'share', 'functions'],
  rows: spent.slice(0, 24).map(({ place, share, functions }) => [
    place,
    percent(share),
    functions
      .slice(0, 4)
      .map((each) => `${each.name} ${percent(each.share)}`)
      .join(', '),
  ]),
})

/** What the backends did. */
export const waitsTable = ({ doing, looks }: Waits): Table => ({
  columns: [`in ${looks} looks`, 'backends'],
  rows: doing.slice(0, 10).map(({ what, backends }) => [what, backends.toFixed(2)]),
})

/** What they did it for. */
export function statementsTable(statements: readonly StatementTime[], { seconds }: Played): Table {
  const all = statements.reduce((sum, each) => sum + each.ms, 0)
  return {
    columns: ['statement', 'share', 'calls a second', 'µs a call', 'rows a call'],
    rows: statements
      .slice(0, 16)
      .map(({ text, calls, rows, ms: took }) => [
        text.slice(0, 90).replaceAll('|', '¦'),
        percent(took / all),
        Math.round(calls / seconds),
        Math.round((took / calls) * 1000),
        (rows / calls).toFixed(1),
      ]),
  }
}

/** Who had the processors, and how the loop of the api fared. */
export function playedFacts(played: readonly Played[]): Record<string, string | number> {
  const of = (read: (one: Played) => number) => median(played.map(read))
  const busy = (who: string) => `${Math.round(of((one) => one.cores[who] ?? 0) * 100)} %`
  const rates = played.map((one) => Math.round(one.perSecond))
  const late = (read: (late: Played['watched']['lateMs']) => number) =>
    ms(of(({ watched }) => read(watched.lateMs)))
  const perRequest = (who: string) => Math.round(of((one) => (one.cores[who]! * 1e6) / one.perSecond))
  const garbage = of(
    ({ watched: { garbageMs, seconds } }) => (garbageMs.small + garbageMs.large) / seconds / 10,
  )
  return {
    'Requests a second': `${Math.round(median(rates))} (${Math.min(...rates)} to ${Math.max(...rates)})`,
    'Share of one core: the api': busy('api'),
    'Share of one core: Postgres': busy('Postgres'),
    'Share of one core: the load generator': busy('load generator'),
    'Share of one core: the listeners': busy('listeners'),
    'µs of the api’s processor a request': perRequest('api'),
    'µs of Postgres’ processors a request': perRequest('Postgres'),
    'The api’s loop had something to do': `${Math.round(of(({ watched }) => watched.busy) * 100)} % of the time`,
    'It came late by': `p50 ${late(({ p50 }) => p50)}, p99 ${late(({ p99 }) => p99)}, at most ${late(({ most }) => most)}`,
    'It collected garbage': `${garbage.toFixed(1)} % of the time, ${ms(of(({ watched }) => watched.garbageMs.longest))} at most at once`,
  }
}
