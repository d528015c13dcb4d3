import { formatFullMoment, formatMoment } from '#web/messages/locale.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { useNow } from './use-now.ts'

/** An instant, short; its title has the rest. */
export function Moment({ at }: { at: string | null }) {
  if (at === null) return '–'
  return (
    <time dateTime={at} title={formatFullMoment(at)}>
      {formatMoment(at)}
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
