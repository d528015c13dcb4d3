import { type KeyboardEvent, useRef } from 'react'
import { marketMessages } from '#web/messages/en-market.ts'
import styles from '#web/land/market.module.css'

export type TabName = 'all' | 'mine'

const TABS: readonly TabName[] = ['all', 'mine']
export const TAB_IDS: Readonly<Record<TabName, string>> = { all: 'tab-all', mine: 'tab-mine' }

type MarketTabsProps = {
  current: TabName
  /** How many active listings the player has. */
  active: number | undefined
  onChoose: (tab: TabName) => void
}

/** Tabs: one tab stop; arrow keys move between them. */
export function MarketTabs({ current, active, onChoose }: MarketTabsProps) {
  const list = useRef<HTMLDivElement>(null)

  const go = (event: KeyboardEvent): void => {
    const at = TABS.indexOf(current)
    const step = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: TABS.length - 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = TABS[(step + TABS.length) % TABS.length]!
    onChoose(next)
    list.current?.querySelector<HTMLElement>(`#${TAB_IDS[next]}`)?.focus()
  }

  return (
    <div className={styles.tabs} role="tablist" aria-label={marketMessages.tabs} ref={list}>
      {TABS.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={TAB_IDS[tab]}
          className={styles.tab}
          aria-selected={tab === current}
          aria-controls={tab === current ? `${TAB_IDS[tab]}-panel` : undefined}
          tabIndex={tab === current ? 0 : -1}
          onClick={() => onChoose(tab)}
          onKeyDown={go}
        >
          {marketMessages[tab]}
          {tab === 'mine' && active ? <span className={styles.count}>{active}</span> : null}
        </button>
      ))}
    </div>
  )
}
