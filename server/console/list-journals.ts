import type { JournalView, listJournals as route } from '#contract/console/ledger.ts'
import { fromExact } from '#contract/console/values.ts'
import type { ConsoleCall, ConsoleReply } from '#contract/console/route.ts'
import type { JournalKind } from '#game/credit.ts'
import { journalRange } from '#server/account/journal-range.ts'
import { type Cell, CsvDownload } from '#server/platform/http/csv-download.ts'
import { type Db, type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import type * as z from 'zod/mini'
import { exact, instant } from './exact.ts'
import { fromCursor, PAGE_ROWS, toCursor } from './pages.ts'

type View = z.output<typeof JournalView>

/** A filter of journals. Days are UTC days, the first and the last. */
export type JournalFilter = Omit<ConsoleCall<typeof route>['query'], 'cursor'>

type Line = Pick<View['lines'][number], 'wallet' | 'account'> & {
  amount: string
  balanceAfter: string | null
}

type Row = {
  id: string
  at: Date
  kind: JournalKind
  wallet: string
  detail: string
  lines: Line[]
  amount: bigint
}

/** How many journals a page reads at most, where a filter on amounts discards some. */
const MAX_READ = 2_000

const RANGE = { before: 'uuid', notBefore: 'uuid', limit: 'integer' } as const

type Placeholders = { before: string; notBefore: string; limit: string }

/** More than any detail of the game. Whoever has the login of the api, the watcher or the signer can store one of any size. */
const LONGEST_DETAIL = 4_000

// The entries of a journal are found by its wallet, and those of the seller of a resale by the listing.
const declareList = (ids: string): string =>
  `select j.id::text, j.at, j.kind::text, j.wallet, left(j.detail::text, ${LONGEST_DETAIL}) as detail,
     moved.lines, moved.amount
   from (${ids}) found join journals j on j.id = found.id
   cross join lateral (
     select coalesce(jsonb_agg(jsonb_build_object('wallet', case when e.version is null then '' else e.wallet end,
         'account', e.account, 'amount', e.amount::text, 'balanceAfter', e.balance_after::text) order by e.line), '[]') as lines,
       coalesce(sum(e.amount) filter (where e.amount > 0), 0)::bigint as amount
     from unnest(array[j.wallet, case when j.kind = 'resale' then (
       select l.seller from listings l where l.journal_id = j.id
     ) end]) as of (wallet) join entries e on e.wallet = of.wallet and e.journal_id = j.id
   ) moved order by j.id desc`

const inRange = (id: string, { before, notBefore }: Placeholders): string =>
  `${id} < ${before} and ${id} >= ${notBefore}`

const readAll = sql({
  name: 'console-journals',
  params: RANGE,
  row: rowOf<Row>(),
  text: (of) =>
    declareList(`select id from journals where ${inRange('id', of)} order by id desc limit ${of.limit}`),
})

// Most journals are claims, so few of the others are read in between.
const readClaims = sql({
  name: 'console-journals-claims',
  params: RANGE,
  row: rowOf<Row>(),
  text: (of) =>
    declareList(
      `select id from journals where kind = 'claim' and ${inRange('id', of)} order by id desc limit ${of.limit}`,
    ),
})

const readOfKind = sql({
  name: 'console-journals-of-kind',
  params: { kind: 'move_kind', ...RANGE },
  row: rowOf<Row>(),
  text: ({ kind, ...of }) =>
    declareList(
      `select id from journals where kind = ${kind} and kind <> 'claim' and ${inRange('id', of)}
       order by id desc limit ${of.limit}`,
    ),
})

const readOfWallet = sql({
  name: 'console-journals-of-wallet',
  params: { wallet: 'text', ...RANGE },
  row: rowOf<Row>(),
  text: ({ wallet, ...of }) =>
    declareList(
      `select journal_id as id from entries where wallet = ${wallet} and ${inRange('journal_id', of)}
       group by journal_id order by journal_id desc limit ${of.limit}`,
    ),
})

// The seller's part of a resale stands in the buyer's journal, which only the listing names.
const readOfWalletAndKind = sql({
  name: 'console-journals-of-wallet-and-kind',
  params: { wallet: 'text', kind: 'move_kind', ...RANGE },
  row: rowOf<Row>(),
  text: ({ wallet, kind, ...of }) =>
    declareList(
      `select id from (
         (select id from journals where wallet = ${wallet} and kind = ${kind} and ${inRange('id', of)}
          order by id desc limit ${of.limit})
         union
         (select journal_id from listings where seller = ${wallet} and state = 'sold' and ${kind} = 'resale'
            and ${inRange('journal_id', of)} order by journal_id desc limit ${of.limit})
       ) either order by id desc limit ${of.limit}`,
    ),
})

type Range = { before: string; notBefore: string; limit: number }

function readRows(db: Queryable, { wallet, kind }: JournalFilter, range: Range): Promise<Row[]> {
  if (wallet !== undefined)
    return kind === undefined
      ? db.rows(readOfWallet, { wallet, ...range })
      : db.rows(readOfWalletAndKind, { wallet, kind, ...range })
  if (kind === undefined) return db.rows(readAll, range)
  return kind === 'claim' ? db.rows(readClaims, range) : db.rows(readOfKind, { kind, ...range })
}

function createAmountFilter({ least, most }: JournalFilter): (row: Row) => boolean {
  const low = least === undefined ? null : fromExact(least)
  const high = most === undefined ? null : fromExact(most)
  return ({ amount }) => (low === null || amount >= low) && (high === null || amount <= high)
}

/** A page of journals, newest first. */
export async function listJournals(
  db: Queryable,
  { cursor, ...filter }: ConsoleCall<typeof route>['query'],
): Promise<ConsoleReply<typeof route>> {
  const [before] = fromCursor(cursor, 1) ?? []
  const hasAmounts = filter.least !== undefined || filter.most !== undefined
  const limit = hasAmounts ? MAX_READ : PAGE_ROWS + 1
  const rows = await readRows(db, filter, { ...journalRange(filter, before), limit })
  const matches = rows.filter(createAmountFilter(filter))
  const items = matches.slice(0, PAGE_ROWS)
  const isFull = matches.length > PAGE_ROWS
  // The next page begins after the last journal shown, or after the last one read.
  const last = isFull ? items.at(-1) : rows.length === limit ? rows.at(-1) : undefined
  return {
    items: items.map(toView),
    next: last ? toCursor([last.id]) : null,
    searchedTo: last ? instant(last.at) : null,
  }
}

const toView = ({ id, at, kind, wallet, detail, lines, amount }: Row): View => ({
  id,
  at: instant(at),
  kind,
  wallet,
  amount: exact(amount),
  lines: lines.map((line) => ({
    wallet: line.wallet,
    account: line.account,
    amount: exact(line.amount),
    balanceAfter: line.balanceAfter === null ? null : exact(line.balanceAfter),
  })),
  detail,
})

/** How many journals an export reads at a time, and how many lines its file has at most. */
const EXPORT_LIMITS = { page: 500, lines: 1_000_000 }

const HEADER: readonly Cell[] = [
  'time (UTC)',
  'journal',
  'kind',
  'wallet of the journal',
  'account',
  'wallet of the line',
  'amount ($COTTON)',
  'balance after',
  'detail',
]

/** The lines of the journals of a filter, as a file that is read page by page. If it is cut, its last line says so. */
export const exportJournals = (db: Db, filter: JournalFilter, limits = EXPORT_LIMITS): CsvDownload =>
  new CsvDownload('ledger.csv', readLines(db, filter, limits))

async function* readLines(
  db: Db,
  filter: JournalFilter,
  limits: typeof EXPORT_LIMITS,
): AsyncGenerator<readonly (readonly Cell[])[]> {
  yield [HEADER]
  const isWanted = createAmountFilter(filter)
  let before: string | undefined
  let lines = 0
  for (;;) {
    const rows = await readRows(db, filter, { ...journalRange(filter, before), limit: limits.page })
    const [next] = rows
    if (lines >= limits.lines && next) {
      yield [cutBefore(next)]
      return
    }
    const page = rows.filter(isWanted).map(toView).flatMap(toLines)
    lines += page.length
    yield page
    if (rows.length < limits.page) return
    before = rows.at(-1)!.id
  }
}

const cutBefore = ({ at }: Row): readonly Cell[] => [
  `CUT: the journals up to ${instant(at)} are missing. Choose an earlier last day for them.`,
  ...HEADER.slice(1).map(() => null),
]

const toLines = ({ id, at, kind, wallet, lines, detail }: View): (readonly Cell[])[] =>
  lines.map((line) => [
    at,
    id,
    kind,
    wallet,
    line.account,
    line.wallet,
    { number: line.amount },
    line.balanceAfter === null ? null : { number: line.balanceAfter },
    detail,
  ])
