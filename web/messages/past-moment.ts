import { dateFormat, formatInstant, formatMoment } from './locale.ts'

const dated = dateFormat({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** `20 Nov, 09:12` in the player's own time, with the year if it is not the current one. */
export const formatPastMoment = (instant: string, now: Date): string =>
  new Date(instant).getFullYear() === now.getFullYear()
    ? formatMoment(instant)
    : formatInstant(dated, instant)
