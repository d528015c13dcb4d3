import { consoleMessages } from '#web/messages/en-console.ts'
import { formatTime } from '#web/messages/locale.ts'
import { useStore } from '#web/store.ts'
import { isStale, live } from '../api/live.ts'
import { Notice } from '../ui/notice.tsx'
import { useNow } from '../ui/use-now.ts'
import styles from './stale-notice.module.css'

/** Why nothing can be decided now; null while the console answers. */
export function useStaleSentence(): string | null {
  const now = useNow()
  const state = useStore(live)
  if (!isStale(state, now)) return null
  return state.answeredAt === null
    ? consoleMessages.neverAnswered
    : consoleMessages.staleSince(formatTime(new Date(state.answeredAt)))
}

/** Says above every page that what it shows may be out of date. */
export function StaleNotice() {
  const sentence = useStaleSentence()
  return (
    <div aria-live="polite">
      {sentence ? (
        <div className={styles.place}>
          <Notice tone="bad">{navigator.onLine ? sentence : `${consoleMessages.offline} ${sentence}`}</Notice>
        </div>
      ) : null}
    </div>
  )
}
