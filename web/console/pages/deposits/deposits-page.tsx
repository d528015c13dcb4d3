import { listDeposits } from '#contract/console/deposits.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { useList } from '../../api/queries.ts'
import { Page } from '../../shell/page.tsx'
import { ChoiceField, Filters, TextField } from '../../ui/field.tsx'
import { ListTable } from '../../ui/list-table.tsx'
import { Panel } from '../../ui/panel.tsx'
import { choiceOf, useFilter, walletOf } from '../../ui/use-filter.ts'
import { DEPOSIT_COLUMNS } from './deposit-columns.tsx'

const VIEWS = ['pending', 'credited', 'uncredited', 'unassigned'] as const

const text = pageMessages.deposits
const CHOICES = VIEWS.map((view) => [view, text.views[view]] as const)

/** What arrived at deposit addresses, by what became of it. */
export function DepositsPage() {
  const [viewName, setView] = useFilter('view')
  const [wallet, setWallet] = useFilter('wallet')
  const view = choiceOf(VIEWS, viewName)
  const wanted = walletOf(wallet)
  const list = useList(
    listDeposits,
    { view, ...(wanted ? { wallet: wanted } : {}) },
    { topics: ['deposits'] },
  )
  return (
    <Page title={consoleMessages.pages.deposits} text={text.text}>
      <Panel title={text.list} flush>
        <Filters label={text.filters}>
          {wanted ? null : (
            <ChoiceField label={text.viewLabel} value={view} choices={CHOICES} onChange={setView} />
          )}
          <TextField
            label={pageMessages.withdrawals.walletLabel}
            placeholder={pageMessages.withdrawals.walletHint}
            value={wallet}
            onChange={setWallet}
            error={wallet !== '' && !wanted ? pageMessages.withdrawals.walletInvalid : null}
          />
        </Filters>
        <ListTable
          list={list}
          caption={text.list}
          columns={DEPOSIT_COLUMNS}
          keyOf={(row) => `${row.signature} ${row.tokenAccount}`}
          empty={wanted ? text.emptyOfWallet : text.empty[view]}
        />
      </Panel>
    </Page>
  )
}
