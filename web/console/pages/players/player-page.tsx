import { Link, useParams } from 'react-router'
import { readPlayer } from '#contract/console/players.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { shortAddress } from '#web/ui/short-address.ts'
import { useRead } from '../../api/queries.ts'
import { formatAmount } from '../../exact.ts'
import { Page } from '../../shell/page.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Age, Moment } from '../../ui/moment.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel, PanelGrid } from '../../ui/panel.tsx'
import { Read } from '../../ui/state.tsx'
import { PlayerActs } from './player-acts.tsx'
import { PlayerFlows, PlayerLedger } from './player-history.tsx'
import { LandPanel, SessionsPanel, WorkersPanel } from './player-property.tsx'

const text = pageMessages.player
const EVERY_MS = 30_000

/** Everything about one player. */
export function PlayerPage() {
  const { wallet = '' } = useParams()
  const read = useRead(
    readPlayer,
    { wallet },
    { topics: ['withdrawals', 'deposits', 'acts', 'log'], everyMs: EVERY_MS },
  )
  return (
    <Page
      title={text.title(shortAddress(wallet))}
      text={<Link to="/players">{text.back}</Link>}
      actions={read.data ? <PlayerActs player={read.data.player} /> : null}
    >
      <Read of={read}>{(data) => <Content data={data} />}</Read>
    </Page>
  )
}

function Content({ data }: { data: ConsoleReply<typeof readPlayer> }) {
  const { player, depositAddress, lockHours } = data
  const { frozen } = player
  return (
    <>
      {frozen ? (
        <Notice tone="bad">
          <strong>{text.frozen(frozen.reason, frozen.by)}</strong>
          <p>
            {text.frozenFor} <Age since={frozen.since} />
          </p>
        </Notice>
      ) : null}
      <Panel title={text.balances}>
        <Facts
          facts={[
            [text.deposited, formatAmount(player.deposited)],
            [text.earned, formatAmount(player.earned)],
            [text.held, formatAmount(player.held)],
            [text.since, <Moment key="since" at={player.createdAt} />],
            [text.lock, text.lockHours(lockHours)],
          ]}
        />
        <Facts
          long
          facts={[
            [
              text.wallet,
              <span key="wallet" className="mono">
                {player.wallet}
              </span>,
            ],
            [text.depositAddress, <Address key="deposit" address={depositAddress} />],
          ]}
        />
      </Panel>
      <PlayerFlows wallet={player.wallet} />
      <PanelGrid size="wide">
        <WorkersPanel workers={data.workers} moreWorkers={data.moreWorkers} />
        <LandPanel land={data.land} parcels={data.parcels} />
      </PanelGrid>
      <SessionsPanel sessions={data.sessions} wallet={player.wallet} />
      <PlayerLedger wallet={player.wallet} />
    </>
  )
}

function Address({ address }: { address: string | null }) {
  if (address === null) return consoleMessages.none
  return <span className="mono">{address}</span>
}
