import { listActs } from '#contract/console/act-list.ts'
import { listLog } from '#contract/console/log.ts'
import { actMessages } from '#web/messages/en-console-acts.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { type ItemOf, useList } from '../../api/queries.ts'
import { Page } from '../../shell/page.tsx'
import { type Column, TableFoot } from '../../ui/data-table.tsx'
import { ListTable } from '../../ui/list-table.tsx'
import { ChoiceField, Filters, TextField } from '../../ui/field.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Read } from '../../ui/state.tsx'
import { useFilter } from '../../ui/use-filter.ts'
import { ActTable } from './act-table.tsx'

type Row = ItemOf<typeof listLog>

const text = pageMessages.log

const COLUMNS: readonly Column<Row>[] = [
  { head: text.at, cell: ({ at }) => <Moment at={at} />, names: true },
  { head: text.whoHead, cell: ({ who }) => who },
  { head: text.login, cell: ({ login }) => login ?? '–' },
  {
    head: text.command,
    cell: ({ command, arguments: given }) => (
      <span className="mono">{[command, ...Object.values(given)].join(' ')}</span>
    ),
  },
  { head: text.reason, cell: ({ reason }) => reason ?? '–' },
  { head: text.outcome, wide: true, cell: ({ outcome }) => outcome },
]

/** Who did what, and what was signed. */
export function LogPage() {
  const [who, setWho] = useFilter('who')
  const list = useList(listLog, who.trim() === '' ? {} : { who: who.trim() }, { topics: ['log'] })
  return (
    <Page title={consoleMessages.pages.log} text={text.text}>
      <ActsPanel />
      <Panel title={text.list} flush>
        <Filters label={text.filters}>
          <TextField type="search" label={text.who} value={who} onChange={setWho} />
        </Filters>
        <ListTable
          list={list}
          caption={text.list}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          empty={text.empty}
        />
      </Panel>
    </Page>
  )
}

const STATES = [
  ['', text.anyState],
  ['waiting', actMessages.states.waiting],
  ['done', actMessages.states.done],
  ['refused', actMessages.states.refused],
] as const

function ActsPanel() {
  const [stateName, setState] = useFilter('acts')
  const state = STATES.find(([each]) => each === stateName)?.[0] ?? ''
  const list = useList(listActs, state === '' ? {} : { state }, { topics: ['acts'] })
  return (
    <Panel title={text.acts} flush>
      <Filters label={text.acts}>
        <ChoiceField label={text.stateLabel} value={state} choices={STATES} onChange={setState} />
      </Filters>
      <Read of={list}>
        {(rows) => (
          <>
            <ActTable acts={rows} caption={text.acts} empty={text.noActs} />
            <TableFoot {...list.foot} />
          </>
        )}
      </Read>
    </Panel>
  )
}
