import { useAtServerNow } from '#web/api/use-server-now.ts'
import { formatFullMoment } from '#web/messages/locale.ts'
import { formatListedAt } from './format-listed-at.ts'

const MINUTE_MS = 60_000

/** How long ago a listing was made. Nothing else renders its card again while the page is open. */
export function ListedAt({ instant }: { instant: string }) {
  const listedMs = Date.parse(instant)
  const age = useAtServerNow((now) => wholeMinutes(now.getTime() - listedMs))
  return (
    <time dateTime={instant} title={formatFullMoment(instant)}>
      {formatListedAt(instant, new Date(listedMs + Number(age) * MINUTE_MS))}
    </time>
  )
}

/** 0 for a moment that the clock has not reached yet, and for a text that is no date. */
const wholeMinutes = (ms: number): bigint => (ms > 0 ? BigInt(Math.floor(ms / MINUTE_MS)) : 0n)
