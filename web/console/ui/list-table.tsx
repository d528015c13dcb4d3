import { DataTable, type DataTableProps, type MoreProps, TableFoot } from './data-table.tsx'
import { Read, type ReadState } from './state.tsx'

type ListTableProps<Row> = Omit<DataTableProps<Row>, 'rows'> & {
  list: ReadState<readonly Row[]> & { foot: MoreProps }
}

/** A table of rows that are read page by page. */
export function ListTable<Row>({ list, ...table }: ListTableProps<Row>) {
  return (
    <Read of={list}>
      {(rows) => (
        <>
          <DataTable {...table} rows={rows} />
          <TableFoot {...list.foot} />
        </>
      )}
    </Read>
  )
}
