import { useDeferredValue } from 'react'
import { listPlayers } from '#contract/console/players.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { type ItemOf, useList } from '../../api/queries.ts'
import { formatAmount } from '../../exact.ts'
import { Page } from '../../shell/page.tsx'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { ListTable } from '../../ui/list-table.tsx'
import { Filters, TextField } from '../../ui/field.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useFilter } from '../../ui/use-filter.ts'
import { WalletLink } from '../../ui/wallet-link.tsx'

const START_OF_WALLET = /^[1-9A-HJ-NP-Za-km-z]{1,44}$/
const text = pageMessages.players

const COLUMNS: readonly Column<ItemOf<typeof listPlayers>>[] = [
  { head: text.wallet, cell: ({ wallet }) => <WalletLink wallet={wallet} />, names: true },
  { head: text.since, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { head: text.deposited, cell: ({ deposited }) => formatAmount(deposited), figure: true },
  { head: text.earned, cell: ({ earned }) => formatAmount(earned), figure: true },
  {
    head: text.state,
    cell: ({ frozen }) => <Badge tone={frozen ? 'bad' : 'plain'}>{frozen ? text.frozen : text.active}</Badge>,
  },
]

/** Players by the start of their wallet. */
export function PlayersPage() {
  const [search, setSearch] = useFilter('search')
  const isInvalid = search !== '' && !START_OF_WALLET.test(search.trim())
  const wanted = useDeferredValue(isInvalid ? '' : search.trim())
  const list = useList(listPlayers, wanted === '' ? {} : { search: wanted }, { everyMs: 30_000 })
  return (
    <Page title={consoleMessages.pages.players} text={text.text}>
      <Panel title={text.list} flush>
        <Filters label={text.list}>
          <TextField
            type="search"
            label={text.search}
            value={search}
            onChange={setSearch}
            error={isInvalid ? text.searchInvalid : null}
          />
        </Filters>
        <ListTable
          list={list}
          caption={text.list}
          columns={COLUMNS}
          keyOf={({ wallet }) => wallet}
          empty={text.empty}
          isMarked={({ frozen }) => frozen}
        />
      </Panel>
    </Page>
  )
}
