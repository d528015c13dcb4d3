import { dateLocale } from '#web/messages/locale.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The date of a listing in the player's locale: `5 minutes ago`, `yesterday`, `12 Nov`. */
export function formatListedAt(instant: string, now: Date, locale = dateLocale()): string {
  const then = new Date(instant)
  if (Number.isNaN(then.getTime())) return '–'
  const agoMs = Math.max(0, now.getTime() - then.getTime())
  const ago = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  if (agoMs < HOUR_MS) return ago.format(-Math.floor(agoMs / MINUTE_MS), 'minute')
  if (agoMs < DAY_MS) return ago.format(-Math.floor(agoMs / HOUR_MS), 'hour')
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  if (then.toDateString() === yesterday.toDateString()) return ago.format(-1, 'day')
  return formatDay(instant, now, locale)
}

/** `12 Nov`, with the year if it is not the current one. */
export function formatDay(instant: string, now: Date, locale = dateLocale()): string {
  const then = new Date(instant)
  if (Number.isNaN(then.getTime())) return '–'
  const year = then.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const)
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', ...year }).format(then)
}
