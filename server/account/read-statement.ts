import type { readStatement as statementRoute } from '#contract/history.ts'
import type { ReplyOf } from '#contract/route.ts'
import { baseUnits, toDecimal, toWire } from '#game/cotton.ts'
import { firstJournalId } from '#server/ledger/journal-id.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import { type Cell, CsvDownload } from '#server/platform/http/csv-download.ts'

type Line = { kind: ReplyOf<typeof statementRoute>['statement']['lines'][number]['kind'] } & Classes
type Classes = { deposited: bigint; earned: bigint }

/** A month of a player: opening + lines = closing, of each class. */
export type Statement = {
  month: string
  firstMonth: string
  opening: Classes
  lines: Line[]
  closing: Classes
}

// One statement, so that balances and entries are of one instant. Journals are ordered by their ids, also at the edge of a
// month: what is after the month is subtracted from the balance now. The entries of another player's journal are those of
// a seller, because only a resale changes two players.
const readSums = sql({
  name: 'statement-sums',
  params: { wallet: 'text', start: 'uuid', end: 'uuid' },
  row: rowOf<{ kind: Line['kind'] | 'after' | 'now' } & Classes>(),
  text: ({ wallet, start, end }) =>
    `select case when e.journal_id >= ${end} then 'after' else coalesce(j.kind::text, 'resale') end as kind,
       coalesce(sum(e.amount) filter (where e.account = 'deposited'), 0)::bigint as deposited,
       coalesce(sum(e.amount) filter (where e.account = 'earned'), 0)::bigint as earned
     from entries e
     left join journals j on j.wallet = ${wallet} and j.id = e.journal_id and j.id >= ${start} and j.id < ${end}
     where e.wallet = ${wallet} and e.journal_id >= ${start} and e.version is not null
     group by 1
     union all
     select 'now', coalesce(sum(balance) filter (where class = 'deposited'), 0)::bigint,
       coalesce(sum(balance) filter (where class = 'earned'), 0)::bigint
     from accounts where wallet = ${wallet}`,
})

// The first move of a player is never the sale of something, so it is in a journal of their own.
const readFirst = sql({
  name: 'statement-first',
  params: { wallet: 'text' },
  row: rowOf<{ at: Date }>(),
  text: ({ wallet }) =>
    `select j.at from entries e join journals j on j.wallet = e.wallet and j.id = e.journal_id
     where e.wallet = ${wallet} and e.version is not null order by e.journal_id limit 1`,
})

/** The first instant of a UTC month, `2026-11`, or of one that is this many months later. */
export function monthStart(month: string, later = 0): Date {
  const [year, number] = month.split('-').map(Number)
  return new Date(Date.UTC(year!, number! - 1 + later))
}

const NONE: Classes = { deposited: 0n, earned: 0n }

/** The statement of a UTC month. A month that is not over ends now. */
export async function readStatement(
  db: Db,
  { wallet, month, now }: { wallet: string; month: string; now: Date },
): Promise<Statement> {
  const range = { start: firstJournalId(monthStart(month)), end: firstJournalId(monthStart(month, 1)) }
  const rows = await db.rows(readSums, { wallet, ...range })
  const sumOf = (kind: string): Classes => rows.find((row) => row.kind === kind) ?? NONE
  const lines = rows.flatMap(({ kind, ...sums }) =>
    kind === 'after' || kind === 'now' ? [] : [{ kind, ...sums }],
  )
  const closing = minus(sumOf('now'), sumOf('after'))
  const opening = lines.reduce<Classes>(minus, closing)
  const [first] = await db.rows(readFirst, { wallet })
  return { month, firstMonth: (first?.at ?? now).toISOString().slice(0, 7), opening, lines, closing }
}

const minus = (from: Classes, { deposited, earned }: Classes): Classes => ({
  deposited: from.deposited - deposited,
  earned: from.earned - earned,
})

const onWire = ({ deposited, earned }: Classes) => ({
  deposited: toWire(baseUnits(deposited)),
  earned: toWire(baseUnits(earned)),
})

/** The statement as its player gets it. */
export function toStatementView(statement: Statement): ReplyOf<typeof statementRoute>['statement'] {
  const { month, firstMonth, opening, lines, closing } = statement
  return {
    month,
    firstMonth,
    opening: onWire(opening),
    lines: lines.map((line) => ({ kind: line.kind, ...onWire(line) })),
    closing: onWire(closing),
  }
}

export function exportStatement(statement: Statement): CsvDownload {
  return new CsvDownload(`cotton-farm-${statement.month}.csv`, toRecords(statement))
}

async function* toRecords({ month, opening, lines, closing }: Statement): AsyncGenerator<readonly Cell[][]> {
  const record = (name: string, { deposited, earned }: Classes): Cell[] => [
    month,
    name,
    ...[deposited, earned, deposited + earned].map((sum) => ({ number: toDecimal(baseUnits(sum)) })),
  ]
  yield [
    ['Month (UTC)', 'Kind', 'Deposited ($COTTON)', 'Earned ($COTTON)', 'Total ($COTTON)'],
    record('opening', opening),
    ...lines.map((line) => record(line.kind, line)),
    record('closing', closing),
  ]
}
