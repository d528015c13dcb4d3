import type { PointerEvent } from 'react'
import Radio from 'lucide-react/icons/radio'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import WifiOff from 'lucide-react/icons/wifi-off'
import { classNames } from '#web/ui/class-names.ts'
import { landMessages } from '#web/messages/en-land.ts'
import { formatTime } from '#web/messages/locale.ts'
import type { Freshness } from './freshness.ts'
import styles from './freshness-badge.module.css'
import { useFreshness } from './use-freshness.ts'

const PICTURES: Readonly<Record<Freshness, typeof Radio>> = {
  live: Radio,
  polling: RefreshCw,
  offline: WifiOff,
}

/**
 * A badge on pages of land: whether changes arrive, with the time of the last one as a tooltip. `failed`: no data
 * was read.
 */
export function FreshnessBadge({ failed = false, className }: { failed?: boolean; className?: string }) {
  const { freshness: shown, lastUpdateAt } = useFreshness()
  const freshness = failed ? 'offline' : shown
  const Picture = PICTURES[freshness]
  // Formatted only for a pointer that is there: the first formatted time of a page takes a phone 0.1 s.
  const addTime = ({ currentTarget }: PointerEvent<HTMLElement>): void => {
    if (lastUpdateAt) currentTarget.title = landMessages.freshness.last(formatTime(lastUpdateAt))
  }
  return (
    <p
      className={classNames(styles.badge, styles[freshness], className)}
      data-freshness={freshness}
      onPointerEnter={addTime}
    >
      <Picture aria-hidden="true" />
      <output>{landMessages.freshness[freshness]}</output>
    </p>
  )
}
