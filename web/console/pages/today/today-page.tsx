import { readToday } from '#contract/console/today.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { formatCount } from '#game/cotton.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { formatTime } from '#web/messages/locale.ts'
import { useRead } from '../../api/queries.ts'
import { formatAmount } from '../../exact.ts'
import { Page } from '../../shell/page.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Age } from '../../ui/moment.tsx'
import { Panel, PanelGrid } from '../../ui/panel.tsx'
import { Read } from '../../ui/state.tsx'
import { StandingBadge } from '../books/standing-badge.tsx'
import { PauseControl, PauseNotice } from '../withdrawals/pause-control.tsx'
import { ActivityPanel } from './activity-panel.tsx'
import { ProblemList } from './problem-list.tsx'
import { QueuePanel } from './queue-panel.tsx'

type Today = ConsoleReply<typeof readToday>

const EVERY_MS = 15_000
const text = pageMessages.today

/** What is wrong first, then what the game does. */
export function TodayPage() {
  const read = useRead(readToday, {}, { topics: ['pause', 'withdrawals', 'acts'], everyMs: EVERY_MS })
  return (
    <Page title={consoleMessages.pages.today} text={text.text} actions={<PauseControl />}>
      <PauseNotice />
      <Read of={read}>
        {(today) => (
          <>
            <Panel
              title={text.problems}
              flush
              actions={<span className="soft">{text.at(formatTime(new Date(today.at)))}</span>}
            >
              <ProblemList problems={today.problems} />
            </Panel>
            <PanelGrid size="wide">
              <NowPanel today={today} />
              <QueuePanel queue={today.queue} />
            </PanelGrid>
          </>
        )}
      </Read>
      <ActivityPanel />
    </Page>
  )
}

function NowPanel({ today: { reserve, budget, pendingDeposits, waitingActs, pause } }: { today: Today }) {
  return (
    <Panel title={text.now}>
      <Facts
        facts={[
          [text.reserve, <StandingBadge key="reserve" standing={reserve.standing} />],
          [text.surplus, reserve.surplus === null ? '–' : formatAmount(reserve.surplus)],
          [text.payouts, <Payouts key="payouts" pause={pause} />],
          [text.budget, text.budgetOf(formatAmount(budget.used), formatAmount(budget.total))],
          [text.pendingDeposits, formatCount(pendingDeposits)],
          [text.waitingActs, consoleMessages.limitedCount(waitingActs)],
        ]}
      />
    </Panel>
  )
}

function Payouts({ pause }: Pick<Today, 'pause'>) {
  if (pause === null) return <Badge>{text.notPaused}</Badge>
  return (
    <>
      <Badge tone="bad">{text.paused}</Badge> <Age since={pause.since} />
    </>
  )
}
