import { endPlayerSessions, MOST_SESSIONS, type readPlayer } from '#contract/console/players.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { WORKERS } from '#game/workers.ts'
import { formatCount } from '#game/cotton.ts'
import { actMessages } from '#web/messages/en-console-acts.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { call } from '../../api/call.ts'
import { ActButton } from '../../acts/act-button.tsx'
import { ConfirmDialog } from '../../acts/confirm-dialog.tsx'
import { formatAmount } from '../../exact.ts'
import { Badge } from '../../ui/badge.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Panel } from '../../ui/panel.tsx'

type Read = ConsoleReply<typeof readPlayer>

const text = pageMessages.player

const WORKER_COLUMNS: readonly Column<Read['workers'][number]>[] = [
  { head: text.type, cell: ({ type }) => WORKERS[type].name, names: true },
  { head: text.count, cell: ({ count }) => formatCount(count), figure: true },
  { head: text.rate, cell: ({ ratePerHour }) => formatCount(ratePerHour), figure: true },
  { head: text.claimed, cell: ({ claimed }) => formatAmount(claimed), figure: true },
  { head: text.unclaimed, cell: ({ unclaimed }) => formatAmount(unclaimed), figure: true },
]

export function WorkersPanel({ workers, moreWorkers }: Pick<Read, 'workers' | 'moreWorkers'>) {
  return (
    <Panel title={moreWorkers ? text.moreWorkers : text.workers} flush>
      <DataTable
        caption={text.workers}
        columns={WORKER_COLUMNS}
        rows={workers}
        keyOf={({ type }) => type}
        empty={text.noWorkers}
      />
    </Panel>
  )
}

const LAND_COLUMNS: readonly Column<Read['land'][number]>[] = [
  { head: text.parcel, cell: ({ name, parcelId }) => `${name} (${parcelId})`, names: true },
  { head: text.bought, cell: ({ boughtAt }) => <Moment at={boughtAt} /> },
  { head: text.paid, cell: ({ pricePaid }) => formatAmount(pricePaid), figure: true },
]

export function LandPanel({ land, parcels }: Pick<Read, 'land' | 'parcels'>) {
  return (
    <Panel title={land.length < parcels ? text.moreLand(land.length, parcels) : text.land} flush>
      <DataTable
        caption={text.land}
        columns={LAND_COLUMNS}
        rows={land}
        keyOf={({ parcelId }) => parcelId}
        empty={text.noLand}
      />
    </Panel>
  )
}

const SESSION_COLUMNS: readonly Column<Read['sessions'][number]>[] = [
  { head: text.device, cell: ({ device }) => device || '–', names: true },
  { head: text.address, cell: ({ address }) => <span className="mono">{address}</span> },
  { head: text.created, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { head: text.lastSeen, cell: ({ seenAt }) => <Moment at={seenAt} /> },
  {
    head: text.session,
    cell: ({ active }) => (
      <Badge tone={active ? 'good' : 'plain'}>{active ? text.isActive : text.hasEnded}</Badge>
    ),
  },
]

export function SessionsPanel({ sessions, wallet }: { sessions: Read['sessions']; wallet: string }) {
  const actions = (
    <ActButton text={actMessages.endSessions.action} needs="decide">
      {(close) => (
        <ConfirmDialog
          {...actMessages.endSessions}
          reasonHint={actMessages.reasonForLog}
          act={(reason) => call(endPlayerSessions, { body: { wallet, reason } })}
          onClose={close}
        />
      )}
    </ActButton>
  )
  const title = sessions.length < MOST_SESSIONS ? text.sessions : text.moreSessions(sessions.length)
  return (
    <Panel title={title} flush actions={actions}>
      <DataTable
        caption={text.sessions}
        columns={SESSION_COLUMNS}
        rows={sessions}
        keyOf={({ id }) => id}
        empty={text.noSessions}
      />
    </Panel>
  )
}
