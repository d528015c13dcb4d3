import { Link, useParams } from 'react-router'
import type { ConsoleReply } from '#contract/console/route.ts'
import { NEWEST_OF_PLAYER, readWithdrawal } from '#contract/console/withdrawals.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { useRead } from '../../api/queries.ts'
import { formatAmount } from '../../exact.ts'
import { Page } from '../../shell/page.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Read } from '../../ui/state.tsx'
import { ActTable } from '../log/act-table.tsx'
import { DEPOSIT_HISTORY_COLUMNS } from '../deposits/deposit-columns.tsx'
import { Decision } from './decision.tsx'
import { PayoutFacts, PlayerPanel } from './withdrawal-facts.tsx'
import { HISTORY_COLUMNS } from './withdrawal-columns.tsx'
import styles from './withdrawals.module.css'

const EVERY_MS = 30_000
const text = pageMessages.withdrawal

/** One withdrawal with everything that a decision needs. */
export function WithdrawalPage() {
  const { id = '' } = useParams()
  const read = useRead(
    readWithdrawal,
    { id },
    { topics: ['withdrawals', 'acts', 'deposits'], everyMs: EVERY_MS },
  )
  const title = read.data
    ? text.title(formatAmount(read.data.withdrawal.amount))
    : consoleMessages.pages.withdrawals
  return (
    <Page
      title={title}
      text={<Link to="/withdrawals">{text.back}</Link>}
      actions={read.data ? <Decision withdrawal={read.data.withdrawal} /> : null}
    >
      <Read of={read}>{(data) => <Content data={data} />}</Read>
    </Page>
  )
}

function Content({ data }: { data: ConsoleReply<typeof readWithdrawal> }) {
  const { withdrawal, acts, player, withdrawals, deposits } = data
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <Panel title={text.facts}>
          <PayoutFacts withdrawal={withdrawal} />
        </Panel>
        <Panel title={text.acts} flush>
          <ActTable acts={acts} caption={text.acts} empty={text.noActs} />
        </Panel>
      </div>
      <div className={styles.column}>
        <PlayerPanel player={player} />
        <Panel title={titleOf(withdrawals, text.history, text.moreHistory)} flush>
          <DataTable
            caption={text.history}
            columns={HISTORY_COLUMNS}
            rows={withdrawals}
            keyOf={(row) => row.id}
            empty={pageMessages.withdrawals.empty}
            isMarked={(row) => row.id === withdrawal.id}
          />
        </Panel>
        <Panel title={titleOf(deposits, text.deposits, text.moreDeposits)} flush>
          <DataTable
            caption={text.deposits}
            columns={DEPOSIT_HISTORY_COLUMNS}
            rows={deposits}
            keyOf={(row) => `${row.signature} ${row.tokenAccount}`}
            empty={text.noDeposits}
          />
        </Panel>
      </div>
    </div>
  )
}

/** A full list may have left out older rows. */
const titleOf = (rows: readonly unknown[], all: string, newest: (shown: number) => string): string =>
  rows.length < NEWEST_OF_PLAYER ? all : newest(rows.length)
