import { serverClock } from '#web/api/server-clock.ts'
import { formatFullMoment } from '#web/messages/locale.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { formatPastMoment } from '#web/messages/past-moment.ts'
import { useNow } from './use-now.ts'

/** An instant, short, with the year if it is not the current one; its title has the rest. */
export function Moment({ at }: { at: string | null }) {
  if (at === null) return '–'
  return (
    <time dateTime={at} title={formatFullMoment(at)}>
      {formatPastMoment(at, serverClock.now())}
    </time>
  )
}

/** How long ago something was. */
export function Age({ since }: { since: string }) {
  const now = useNow()
  return (
    <time dateTime={since} title={formatFullMoment(since)}>
      {consoleMessages.age(now - Date.parse(since))}
    </time>
  )
}
