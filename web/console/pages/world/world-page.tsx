import { readWorld } from '#contract/console/world.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { formatCount } from '#game/cotton.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { useRead } from '../../api/queries.ts'
import { formatAmount } from '../../exact.ts'
import { Page } from '../../shell/page.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Read } from '../../ui/state.tsx'
import { AnnouncementsPanel } from './announcements-panel.tsx'
import { ContinentsPanel } from './continents-panel.tsx'

type World = ConsoleReply<typeof readWorld>

const EVERY_MS = 30_000
const text = pageMessages.world

const WORKER_COLUMNS: readonly Column<World['workers'][number]>[] = [
  { head: text.type, cell: ({ name }) => name, names: true },
  { head: text.price, cell: ({ price }) => formatAmount(price), figure: true },
  { head: text.rate, cell: ({ ratePerHour }) => formatCount(ratePerHour), figure: true },
  {
    head: text.sold,
    cell: ({ sold, maxSupply }) => text.soldOf(formatCount(sold), formatCount(maxSupply)),
    figure: true,
  },
]

/** Supply, prices, markets and announcements. */
export function WorldPage() {
  const read = useRead(readWorld, {}, { topics: ['acts'], everyMs: EVERY_MS })
  return (
    <Page title={consoleMessages.pages.world} text={text.text}>
      <AnnouncementsPanel />
      <Read of={read}>
        {(world) => (
          <>
            <ContinentsPanel continents={world.continents} marketMode={world.marketMode} />
            <Panel title={text.workers} flush>
              <DataTable
                caption={text.workers}
                columns={WORKER_COLUMNS}
                rows={world.workers}
                keyOf={({ type }) => type}
                empty={consoleMessages.none}
              />
            </Panel>
          </>
        )}
      </Read>
    </Page>
  )
}
