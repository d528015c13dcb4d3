import type { JournalRow } from './journal-row.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { formatAmount, formatChange } from '../../exact.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { WalletLink } from '../../ui/wallet-link.tsx'
import styles from './ledger.module.css'

const text = pageMessages.ledger

const at: Column<JournalRow> = { head: text.at, cell: (row) => <Moment at={row.at} />, names: true }
const kind: Column<JournalRow> = { head: text.kind, cell: (row) => text.kinds[row.kind] }
const amount: Column<JournalRow> = {
  head: text.amount,
  cell: (row) => formatAmount(row.amount),
  figure: true,
}
const lines: Column<JournalRow> = { head: text.lines, wide: true, cell: (row) => <Lines journal={row} /> }
const detail: Column<JournalRow> = {
  head: text.detail,
  cell: (row) => <Detail json={row.detail} />,
}

const COLUMNS: readonly Column<JournalRow>[] = [
  at,
  {
    head: text.number,
    cell: ({ id }) => (
      <span className="short" title={id}>
        {shortId(id)}
      </span>
    ),
  },
  kind,
  { head: text.who, cell: ({ wallet }) => (wallet === '' ? '–' : <WalletLink wallet={wallet} />) },
  amount,
  lines,
  detail,
]

/** The time of a journal is at the start of its id, so the end distinguishes it from its neighbours. */
const shortId = (id: string): string => `${id.slice(0, 8)}…${id.slice(-6)}`

/** The journals of one player. */
const OWN_COLUMNS: readonly Column<JournalRow>[] = [at, kind, amount, lines, detail]

type JournalTableProps = { journals: readonly JournalRow[]; caption: string; ofOnePlayer?: boolean }

/** Journals with their lines. */
export function JournalTable({ journals, caption, ofOnePlayer = false }: JournalTableProps) {
  return (
    <DataTable
      caption={caption}
      columns={ofOnePlayer ? OWN_COLUMNS : COLUMNS}
      rows={journals}
      keyOf={({ id }) => id}
      empty={text.empty}
    />
  )
}

function Lines({ journal }: { journal: JournalRow }) {
  return (
    <ul className={styles.lines}>
      {journal.lines.map((line) => (
        <li key={`${line.wallet} ${line.account}`}>
          <span>{text.accounts[line.account]}</span>
          {line.wallet !== '' && line.wallet !== journal.wallet ? <WalletLink wallet={line.wallet} /> : null}
          <span className={styles.change}>{formatChange(line.amount)}</span>
        </li>
      ))}
    </ul>
  )
}

/** The facts of a journal, one a line. */
function Detail({ json }: { json: string }) {
  const facts = readFacts(json)
  if (facts.length === 0) return '–'
  return (
    <ul className={styles.detail}>
      {facts.map(([name, value]) => (
        <li key={name} title={value}>
          {name}: {value}
        </li>
      ))}
    </ul>
  )
}

function readFacts(json: string): [string, string][] {
  try {
    const facts: unknown = JSON.parse(json)
    if (typeof facts !== 'object' || facts === null) return []
    return Object.entries(facts).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
  } catch {
    return []
  }
}
