import { Link } from 'react-router'
import { listDeposits } from '#contract/console/deposits.ts'
import { listJournals } from '#contract/console/ledger.ts'
import { listWithdrawals } from '#contract/console/withdrawals.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { useList } from '../../api/queries.ts'
import { TableFoot } from '../../ui/data-table.tsx'
import { ListTable } from '../../ui/list-table.tsx'
import { Panel, PanelGrid } from '../../ui/panel.tsx'
import { Read } from '../../ui/state.tsx'
import { DEPOSIT_HISTORY_COLUMNS } from '../deposits/deposit-columns.tsx'
import { JournalTable } from '../ledger/journal-table.tsx'
import { HISTORY_COLUMNS } from '../withdrawals/withdrawal-columns.tsx'

const EVERY_MS = 30_000
const text = pageMessages.player

/** What came in and what goes out. */
export function PlayerFlows({ wallet }: { wallet: string }) {
  const withdrawals = useList(listWithdrawals, { state: 'open', wallet }, { topics: ['withdrawals', 'acts'] })
  const deposits = useList(listDeposits, { view: 'credited', wallet }, { topics: ['deposits'] })
  return (
    <PanelGrid size="wide">
      <Panel
        title={text.openWithdrawals}
        flush
        actions={<Link to={`/withdrawals?state=finalized&wallet=${wallet}`}>{text.allWithdrawals}</Link>}
      >
        <ListTable
          list={withdrawals}
          caption={text.openWithdrawals}
          columns={HISTORY_COLUMNS}
          keyOf={({ id }) => id}
          empty={text.noWithdrawals}
        />
      </Panel>
      <Panel title={text.deposits} flush>
        <ListTable
          list={deposits}
          caption={text.deposits}
          columns={DEPOSIT_HISTORY_COLUMNS}
          keyOf={(row) => `${row.signature} ${row.tokenAccount}`}
          empty={pageMessages.withdrawal.noDeposits}
        />
      </Panel>
    </PanelGrid>
  )
}

/** Every move of the player's credit. */
export function PlayerLedger({ wallet }: { wallet: string }) {
  const journals = useList(
    listJournals,
    { wallet },
    { topics: ['withdrawals', 'deposits', 'acts'], everyMs: EVERY_MS },
  )
  return (
    <Panel
      title={text.ledger}
      flush
      actions={<Link to={`/ledger?wallet=${wallet}`}>{text.allInLedger}</Link>}
    >
      <Read of={journals}>
        {(rows) => (
          <>
            <JournalTable journals={rows} caption={text.ledger} ofOnePlayer />
            <TableFoot {...journals.foot} />
          </>
        )}
      </Read>
    </Panel>
  )
}
