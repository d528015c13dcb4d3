import { dateFormat, formatInstant } from '#web/messages/locale.ts'
import type { Span } from '../ui/span-choice.tsx'

const hour = dateFormat({ hour: '2-digit', minute: '2-digit' })
const day = dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' })

/** How the instants of a span are shown: hours in local time, or UTC days. */
export const formatFor = (span: Span) => (at: string) => formatInstant(span === 'day' ? hour : day, at)

/** The same for instants at which an hour or a UTC day ends. A day ends with the first moment of the next one. */
export const formatEndFor = (span: Span) => (at: string) =>
  formatFor(span)(span === 'day' ? at : justBefore(at))

const justBefore = (at: string): string => new Date(Date.parse(at) - 1).toISOString()
