import { readHealth } from '#contract/console/health.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { formatCount } from '#game/cotton.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { useRead } from '../../api/queries.ts'
import { Page } from '../../shell/page.tsx'
import { Badge } from '../../ui/badge.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Facts } from '../../ui/facts.tsx'
import { formatBytes } from './format-bytes.ts'
import { Age, Moment } from '../../ui/moment.tsx'
import { Panel, PanelGrid } from '../../ui/panel.tsx'
import { Read } from '../../ui/state.tsx'

type Health = ConsoleReply<typeof readHealth>

const EVERY_MS = 15_000
const text = pageMessages.health

const ROLE_COLUMNS: readonly Column<Health['roles'][number]>[] = [
  { head: text.role, cell: ({ role }) => role, names: true },
  {
    head: text.state,
    cell: ({ state }) => <Badge tone={state === 'running' ? 'good' : 'bad'}>{text.states[state]}</Badge>,
  },
  { head: text.connections, cell: ({ connections }) => formatCount(connections), figure: true },
  { head: text.seen, cell: ({ seenAt }) => (seenAt === null ? '–' : <Age since={seenAt} />) },
  { head: text.detail, wide: true, cell: ({ detail }) => detail },
]

const TABLE_COLUMNS: readonly Column<Health['database']['tables'][number]>[] = [
  { head: text.table, cell: ({ name }) => <span className="mono">{name}</span>, names: true },
  { head: text.size, cell: ({ bytes }) => formatBytes(bytes), figure: true },
  { head: text.rows, cell: ({ rows }) => formatCount(rows), figure: true },
]

const STANDBY_COLUMNS: readonly Column<Health['database']['standbys'][number]>[] = [
  { head: text.standby, cell: ({ name }) => name, names: true },
  { head: text.state, cell: ({ state }) => state },
  {
    head: text.behind,
    cell: ({ lagMs }) => (lagMs === null ? '–' : text.seconds(lagMs / 1_000)),
    figure: true,
  },
]

/** Roles, versions, database and backups. */
export function HealthPage() {
  const read = useRead(readHealth, {}, { everyMs: EVERY_MS })
  return (
    <Page title={consoleMessages.pages.health} text={text.text}>
      <Read of={read}>
        {(health) => (
          <>
            <Panel title={text.roles} flush>
              <DataTable
                caption={text.roles}
                columns={ROLE_COLUMNS}
                rows={health.roles}
                keyOf={({ role }) => role}
                empty={consoleMessages.none}
                isMarked={({ state }) => state === 'silent'}
              />
            </Panel>
            <PanelGrid>
              <Versions health={health} />
              <DatabasePanel database={health.database} />
              <Backups backups={health.backups} />
            </PanelGrid>
            <PanelGrid size="wide">
              <Panel title={text.tables} flush>
                <DataTable
                  caption={text.tables}
                  columns={TABLE_COLUMNS}
                  rows={health.database.tables}
                  keyOf={({ name }) => name}
                  empty={consoleMessages.none}
                />
              </Panel>
              <Panel title={text.standbys} flush>
                <DataTable
                  caption={text.standbys}
                  columns={STANDBY_COLUMNS}
                  rows={health.database.standbys}
                  keyOf={({ name }) => name}
                  empty={text.noStandbys}
                />
              </Panel>
            </PanelGrid>
          </>
        )}
      </Read>
    </Page>
  )
}

function Versions({ health: { versions, watcherLagMs } }: { health: Health }) {
  return (
    <Panel title={text.versions}>
      <Facts
        facts={[
          [text.program, versions.program],
          [text.node, versions.node],
          [text.postgres, versions.postgres],
          [text.schema, versions.schema],
          [text.lag, watcherLagMs === null ? text.never : text.lagAgo(Math.round(watcherLagMs / 1_000))],
        ]}
      />
    </Panel>
  )
}

function DatabasePanel({ database }: { database: Health['database'] }) {
  const { bytes, grownBytes, connections, maxConnections } = database
  return (
    <Panel title={text.database}>
      <Facts
        facts={[
          [text.size, formatBytes(bytes)],
          [text.growth, grownBytes === null ? text.unknown : formatBytes(grownBytes)],
          [text.connections, text.used(connections, maxConnections)],
        ]}
      />
    </Panel>
  )
}

function Backups({ backups: { lastAt, failedAt, drillAt, drillFailedAt } }: { backups: Health['backups'] }) {
  const orNever = (at: string | null) => (at === null ? text.never : <Moment at={at} />)
  return (
    <Panel title={text.backups}>
      <Facts
        facts={[
          [text.lastBackup, orNever(lastAt)],
          ...(failedAt ? [[text.failedBackup, <Moment key="failed" at={failedAt} />] as const] : []),
          [text.drill, drillFailedAt ? <FailedDrill key="drill" at={drillFailedAt} /> : orNever(drillAt)],
        ]}
      />
    </Panel>
  )
}

function FailedDrill({ at }: { at: string }) {
  return (
    <>
      <Badge tone="bad">{text.failed}</Badge> <Moment at={at} />
    </>
  )
}
