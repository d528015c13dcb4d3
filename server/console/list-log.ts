import type { listLog as route } from '#contract/console/log.ts'
import type { ConsoleCall, ConsoleReply } from '#contract/console/route.ts'
import { LOG_COLUMNS, type LoggedLine } from '#server/operators/operator-log.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { instant } from './exact.ts'
import { fromCursor, PAGE_ROWS, toPage } from './pages.ts'

const PAGE = { before: 'bigint', limit: 'integer' } as const

const readAll = sql({
  name: 'console-list-log',
  params: PAGE,
  row: rowOf<LoggedLine>(),
  text: ({ before, limit }) =>
    `select ${LOG_COLUMNS} from operator_log where id < ${before} order by id desc limit ${limit}`,
})

const readOf = sql({
  name: 'console-list-log-of',
  params: { who: 'text', ...PAGE },
  row: rowOf<LoggedLine>(),
  text: ({ who, before, limit }) =>
    `select ${LOG_COLUMNS} from operator_log where lower(who) = lower(${who}) and id < ${before}
     order by id desc limit ${limit}`,
})

/** Above every id. */
const NEWEST = 2n ** 63n - 1n

/** A page of the operator log, newest first. */
export async function listLog(
  db: Queryable,
  { who, cursor }: ConsoleCall<typeof route>['query'],
): Promise<ConsoleReply<typeof route>> {
  const [id] = fromCursor(cursor, 1) ?? []
  // The console's login can store lines with any id. A cursor that is not understood would show the first page again.
  const before = id !== undefined && /^-?\d{1,19}$/.test(id) ? BigInt.asIntN(64, BigInt(id)) : NEWEST
  const page = { before, limit: PAGE_ROWS + 1 }
  const rows = await (who === undefined ? db.rows(readAll, page) : db.rows(readOf, { who, ...page }))
  return toPage(rows, {
    key: (row) => [String(row.id)],
    item: ({ id: number, at, ...line }) => ({ ...line, id: String(number), at: instant(at) }),
  })
}
