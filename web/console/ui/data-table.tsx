import { type ReactNode, useRef } from 'react'
import { classNames } from '#web/ui/class-names.ts'
import { useFocusNewRow } from '#web/ui/use-focus-new-row.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import styles from './data-table.module.css'
import { scrollArea } from './scroll-area.ts'

export type Column<Row> = {
  head: string
  cell: (row: Row) => ReactNode
  /** Figures stand at the end of their column. */
  figure?: boolean
  /** Takes the room that the others leave. */
  wide?: boolean
  /** Names the row: its first cell in most tables. */
  names?: boolean
}

export type DataTableProps<Row> = {
  /** What the table lists, for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Shown instead of a table without rows. */
  empty: string
  /** Marks rows that need attention. */
  isMarked?: (row: Row) => boolean
}

/** A table. In a narrow window each row becomes a card, whose cells carry the names of their columns. */
export function DataTable<Row>({ caption, columns, rows, keyOf, empty, isMarked }: DataTableProps<Row>) {
  if (rows.length === 0) return <p className={styles.empty}>{empty}</p>
  return (
    <div className={styles.scroll} {...scrollArea(caption)}>
      <table className={styles.table} {...role('table')}>
        <caption className="vh">{caption}</caption>
        <thead {...role('rowgroup')}>
          <tr {...role('row')}>
            {columns.map(({ head, figure, wide }) => (
              <th
                key={head}
                scope="col"
                {...role('columnheader')}
                className={classNames(figure && styles.figure, wide && styles.wide)}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...role('rowgroup')}>
          {rows.map((row) => (
            <tr key={keyOf(row)} {...role('row')} className={isMarked?.(row) ? styles.marked : undefined}>
              {columns.map((column) => (
                <Cell key={column.head} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Browsers take the roles away from tables that are not laid out as such, as the cards of a narrow window are. */
const role = (name: string): { role: string } => ({ role: name })

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { head, cell, figure, wide, names } = column
  const className = classNames(figure && styles.figure, wide && styles.wide)
  const content = cell(row)
  if (names)
    return (
      <th scope="row" {...role('rowheader')} className={className} data-head={head}>
        {content}
      </th>
    )
  return (
    <td {...role('cell')} className={className} data-head={head}>
      {content}
    </td>
  )
}

export type MoreProps = {
  hasMore: boolean
  loading: boolean
  /** The next page could not be read. */
  failed: boolean
  onMore: () => void
  shown: number
}

/** How many rows are shown, and a button for the next page. A search may have to go on although it has found none yet. */
export function TableFoot({ hasMore, loading, failed, onMore, shown }: MoreProps) {
  if (shown === 0 && !hasMore) return null
  return (
    <div className={styles.foot}>
      <span>{hasMore ? consoleMessages.shownOfMore(shown) : consoleMessages.shownAll(shown)}</span>
      {failed ? <span role="alert">{consoleMessages.moreFailed}</span> : null}
      {hasMore ? <MoreButton loading={loading} onMore={onMore} /> : null}
    </div>
  )
}

function MoreButton({ loading, onMore }: Pick<MoreProps, 'loading' | 'onMore'>) {
  const button = useRef<HTMLButtonElement>(null)
  useFocusNewRow(button, 'tbody > tr')
  return (
    <button type="button" className={styles.more} aria-disabled={loading} onClick={onMore} ref={button}>
      {loading ? consoleMessages.loading : consoleMessages.more}
    </button>
  )
}
