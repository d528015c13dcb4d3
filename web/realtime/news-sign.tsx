import { Radio, RefreshCw, WifiOff } from 'lucide-react'
import { classNames } from '#web/ui/class-names.ts'
import { landWords } from '#web/messages/en-land.ts'
import { shownClock } from '#web/messages/locale.ts'
import type { Freshness } from './freshness.ts'
import styles from './news-sign.module.css'
import { useFreshness } from './use-freshness.ts'

const PICTURES: Readonly<Record<Freshness, typeof Radio>> = {
  live: Radio,
  polling: RefreshCw,
  offline: WifiOff,
}

/** A small sign on pages of land: how the news come, and when the last came. `failed`: there is nothing to show. */
export function NewsSign({
  failed = false,
  className,
}: {
  failed?: boolean
  className?: string | undefined
}) {
  const { freshness: shown, heardAt } = useFreshness()
  const freshness = failed ? 'offline' : shown
  const Picture = PICTURES[freshness]
  return (
    <p className={classNames(styles.sign, styles[freshness], className)}>
      <Picture aria-hidden="true" />
      <output>{landWords.news[freshness]}</output>
      {heardAt ? (
        <small>
          {landWords.news.last}{' '}
          <time className={styles.time} dateTime={heardAt.toISOString()}>
            {shownClock(heardAt)}
          </time>
        </small>
      ) : null}
    </p>
  )
}
