import { endAnnouncement, listAnnouncements } from '#contract/console/world.ts'
import { actMessages } from '#web/messages/en-console-acts.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { call } from '../../api/call.ts'
import { type ItemOf, useList } from '../../api/queries.ts'
import { ActButton, ActGroup, GroupReason } from '../../acts/act-button.tsx'
import { ConfirmDialog } from '../../acts/confirm-dialog.tsx'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { ListTable } from '../../ui/list-table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Panel } from '../../ui/panel.tsx'
import { AnnounceDialog } from './announce-dialog.tsx'

type Row = ItemOf<typeof listAnnouncements>

const text = pageMessages.world
const TONES = { coming: 'note', shown: 'good', hidden: 'plain', over: 'plain' } as const

const COLUMNS: readonly Column<Row>[] = [
  { head: text.textHead, cell: (row) => row.text, wide: true, names: true },
  { head: text.from, cell: ({ startsAt }) => <Moment at={startsAt} /> },
  { head: text.until, cell: ({ endsAt }) => <Moment at={endsAt} /> },
  { head: text.by, cell: ({ createdBy }) => createdBy },
  { head: text.state, cell: ({ state }) => <Badge tone={TONES[state]}>{text.states[state]}</Badge> },
  { head: text.act, cell: (row) => <EndAct announcement={row} /> },
]

/** What the game says to every player. */
export function AnnouncementsPanel() {
  const list = useList(listAnnouncements, {}, { topics: ['log'], everyMs: 30_000 })
  return (
    <ActGroup needs="settings">
      <Panel
        title={text.announcements}
        flush
        actions={
          <ActButton text={actMessages.announce.action} needs="settings">
            {(close) => <AnnounceDialog onClose={close} />}
          </ActButton>
        }
      >
        <GroupReason />
        <ListTable
          list={list}
          caption={text.announcements}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          empty={text.noAnnouncements}
        />
      </Panel>
    </ActGroup>
  )
}

function EndAct({ announcement: { id, state, text: announced } }: { announcement: Row }) {
  return (
    <ActButton text={actMessages.endAnnouncement.action} needs="settings" shown={state !== 'over'}>
      {(close) => (
        <ConfirmDialog
          {...actMessages.endAnnouncement}
          text={announced}
          reasonHint={actMessages.reasonForLog}
          act={(reason) => call(endAnnouncement, { body: { id, reason } })}
          onClose={close}
        />
      )}
    </ActButton>
  )
}
