import { baseUnits, toDecimal } from '#game/cotton.ts'
import type { Db } from '#server/platform/db/db.ts'
import { type Cell, CsvDownload } from '#server/platform/http/csv-download.ts'
import { type HistoryFilter, type JournalRow, namesOf, readJournals } from './read-history.ts'

// No connection is held between two pages, however slowly the client reads.
const PAGE = 1_000

const HEADER = ['Time (UTC)', 'Kind', 'Amount ($COTTON)', 'What', 'Other player', 'Transaction', 'Note', 'Id']

/** Reads a page when it is the turn of this export. */
type TakeTurn = <Page>(read: () => Promise<Page>) => Promise<Page>

/** The history of a player as a file, read a page at a time. */
export function exportHistory(
  db: Db,
  wallet: string,
  filter: HistoryFilter,
  takeTurn: TakeTurn = (read) => read(),
): CsvDownload {
  const readPage = (before: string | undefined) =>
    takeTurn(() => readJournals(db, { wallet, before, limit: PAGE }, filter))
  return new CsvDownload('cotton-farm-history.csv', readPages(readPage))
}

async function* readPages(
  readPage: (before: string | undefined) => Promise<JournalRow[]>,
): AsyncGenerator<readonly Cell[][]> {
  yield [HEADER]
  let before: string | undefined
  for (;;) {
    const page = await readPage(before)
    if (page.length > 0) yield page.map(toRecord)
    if (page.length < PAGE) return
    before = page.at(-1)!.id
  }
}

function toRecord({ id, kind, at, amount, detail, counterparty }: JournalRow): Cell[] {
  const { countryName } = namesOf(detail)
  const textOf = (...names: readonly string[]) =>
    names.map((name) => detail[name]).find((value) => value !== undefined)
  const what = countryName ?? textOf('workerId', 'workerType', 'parcelId', 'withdrawalId')
  return [
    at.toISOString(),
    kind,
    { number: toDecimal(baseUnits(amount)) },
    asText(what),
    counterparty,
    asText(detail.signature),
    asText(detail.reason),
    id,
  ]
}

const asText = (value: unknown): string | null =>
  value === undefined || value === null ? null : String(value)
