import { useState } from 'react'
import type { readWorld } from '#contract/console/world.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { formatCount } from '#game/cotton.ts'
import { actMessages } from '#web/messages/en-console-acts.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { ActButton, ActGroup, GroupReason } from '../../acts/act-button.tsx'
import { ReasonAct } from '../../acts/reason-act.tsx'
import { formatAmount } from '../../exact.ts'
import { Badge } from '../../ui/badge.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Panel } from '../../ui/panel.tsx'
import styles from './world.module.css'

type World = ConsoleReply<typeof readWorld>
type Continent = World['continents'][number]

const text = pageMessages.world

const COLUMNS: readonly Column<Continent>[] = [
  { head: text.continent, cell: ({ name }) => name, names: true },
  { head: text.startPrice, cell: ({ startPrice }) => formatAmount(startPrice), figure: true },
  { head: text.nextPrice, cell: ({ price }) => formatAmount(price), figure: true },
  {
    head: text.owned,
    cell: ({ owned, offered }) => text.soldOf(formatCount(owned), formatCount(offered)),
    figure: true,
  },
  {
    head: text.excluded,
    cell: ({ excluded }) => (
      <span className={styles.excluded}>
        {excluded.length === 0 ? consoleMessages.none : excluded.join(', ')}
      </span>
    ),
  },
  { head: text.listings, cell: ({ activeListings }) => formatCount(activeListings), figure: true },
  { head: text.market, cell: (row) => <MarketState continent={row} /> },
]

const ACT_COLUMN: Column<Continent> = { head: text.act, cell: (row) => <MarketAct continent={row} /> }

/** Prices and land by continent. In the mode `auto` an operator can open a market early. */
export function ContinentsPanel({ continents, marketMode }: Pick<World, 'continents' | 'marketMode'>) {
  const isAuto = marketMode === 'auto'
  return (
    <ActGroup needs="settings">
      <Panel title={text.continents} flush>
        <p className={styles.mode}>
          {text.mode(marketMode)} {text.modes[marketMode]}
        </p>
        {isAuto && continents.some(hasAct) ? <GroupReason /> : null}
        <DataTable
          caption={text.continents}
          columns={isAuto ? [...COLUMNS, ACT_COLUMN] : COLUMNS}
          rows={continents}
          keyOf={({ code }) => code}
          empty={consoleMessages.none}
        />
      </Panel>
    </ActGroup>
  )
}

/** Whether an operator can open its market early, or close it again. */
const hasAct = ({ openedEarly, marketOpen }: Continent): boolean => openedEarly || !marketOpen

function MarketState({ continent: { marketOpen, openedEarly } }: { continent: Continent }) {
  return (
    <span className={styles.market}>
      <Badge tone={marketOpen ? 'good' : 'plain'}>{marketOpen ? text.isOpen : text.isClosed}</Badge>
      {openedEarly ? <Badge tone="note">{text.openedEarly}</Badge> : null}
    </span>
  )
}

function MarketAct({ continent }: { continent: Continent }) {
  return (
    <ActButton
      text={actMessages.market[continent.openedEarly ? 'close' : 'open']}
      needs="settings"
      shown={hasAct(continent)}
    >
      {(close) => <MarketDialog continent={continent} onClose={close} />}
    </ActButton>
  )
}

/** It stays about what it was opened for, although its own outcome changes the market. */
function MarketDialog({ continent, onClose }: { continent: Continent; onClose: () => void }) {
  const messages = actMessages.market
  const [{ code, name, openedEarly }] = useState(continent)
  const what = openedEarly ? 'close' : 'open'
  return (
    <ReasonAct
      title={openedEarly ? messages.closeTitle(name) : messages.openTitle(name)}
      text={openedEarly ? messages.closeText : messages.openText}
      version={String(continent.openedEarly)}
      makeAct={(reason) => ({ act: { kind: 'market', what, continent: code, reason } })}
      onClose={onClose}
    />
  )
}
