import { listWithdrawals } from '#contract/console/withdrawals.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { useList } from '../../api/queries.ts'
import { Page } from '../../shell/page.tsx'
import { ChoiceField, Filters, TextField } from '../../ui/field.tsx'
import { ListTable } from '../../ui/list-table.tsx'
import { Panel } from '../../ui/panel.tsx'
import { choiceOf, useFilter, walletOf } from '../../ui/use-filter.ts'
import { PauseControl, PauseNotice } from './pause-control.tsx'
import { QUEUE_COLUMNS } from './withdrawal-columns.tsx'

const STATES = ['open', 'review', 'requested', 'approved', 'signed', 'sent', 'finalized', 'refunded'] as const

const text = pageMessages.withdrawals
const CHOICES = STATES.map((state) => [state, text.states[state]] as const)
/** With a wallet every state but `open` stands for all of its withdrawals. */
const CHOICES_OF_WALLET = [
  ['open', text.states.open],
  ['finalized', text.allOfWallet],
] as const

/** The queue, and every other withdrawal by state and wallet. */
export function WithdrawalsPage() {
  const [stateName, setState] = useFilter('state')
  const [wallet, setWallet] = useFilter('wallet')
  const wanted = walletOf(wallet)
  const state = choiceOf(wanted ? ['open', 'finalized'] : STATES, stateName)
  const list = useList(
    listWithdrawals,
    { state, ...(wanted ? { wallet: wanted } : {}) },
    { topics: ['withdrawals', 'acts'] },
  )
  return (
    <Page title={consoleMessages.pages.withdrawals} text={text.text} actions={<PauseControl />}>
      <PauseNotice />
      <Panel title={text.list} flush>
        <Filters label={text.filters}>
          <ChoiceField
            label={text.stateLabel}
            value={state}
            choices={wanted ? CHOICES_OF_WALLET : CHOICES}
            onChange={setState}
          />
          <TextField
            label={text.walletLabel}
            placeholder={text.walletHint}
            value={wallet}
            onChange={setWallet}
            error={wallet !== '' && !wanted ? text.walletInvalid : null}
          />
        </Filters>
        <ListTable
          list={list}
          caption={text.list}
          columns={QUEUE_COLUMNS}
          keyOf={({ id }) => id}
          empty={text.empty}
        />
      </Panel>
    </Page>
  )
}
