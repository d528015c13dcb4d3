/** The locale of numbers. It is the same for every player and in the server's sentences (S-62). */
export const NUMBER_LOCALE = 'en-US'

/**
 * The locale of dates for a reader of this language: English words, with the order and the clock of the region.
 * `de-DE` becomes `en-DE`: 20 Nov, 21:12. For a region without an English locale the day comes first.
 */
export function dateLocaleFor(language: string): string {
  try {
    const { region } = new Intl.Locale(language).maximize()
    const wanted = `en-${region}`
    return new Intl.DateTimeFormat(wanted).resolvedOptions().locale === wanted ? wanted : 'en-GB'
  } catch {
    return 'en-GB'
  }
}

/** Whether the numbers of this language, in its region, have a decimal comma: `1,5` in `de`, `pt-BR` and `en-DE`. */
export function hasDecimalComma(language: string): boolean {
  try {
    return new Intl.NumberFormat(language).format(0.5).includes(',')
  } catch {
    return false
  }
}

/** Creates a formatter when it is first used: the first one of a page takes a phone 0.1 s. */
export function onFirstUse<T>(create: () => T): () => T {
  let created: T | undefined
  return () => (created ??= create())
}

/** The locale of dates for this player. */
export const dateLocale = onFirstUse(() => dateLocaleFor(navigator.language))

/** A format of dates in the player's locale. */
export const dateFormat = (options: Intl.DateTimeFormatOptions): (() => Intl.DateTimeFormat) =>
  onFirstUse(() => new Intl.DateTimeFormat(dateLocale(), options))

const moment = dateFormat({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
const full = dateFormat({ dateStyle: 'full', timeStyle: 'medium' })
const date = dateFormat({ dateStyle: 'long' })
const clock = dateFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** A formatted instant; a dash if the text is not a date. */
export function formatInstant(format: () => Intl.DateTimeFormat, instant: string): string {
  const at = Date.parse(instant)
  return Number.isNaN(at) ? '–' : format().format(at)
}

/** `20 Nov, 09:12` in the player's own time. */
export const formatMoment = (instant: string): string => formatInstant(moment, instant)

/** `Friday, 20 November 2026 at 09:12:31`, for the tooltip of a shorter one. */
export const formatFullMoment = (instant: string): string => formatInstant(full, instant)

/** `20 November 2026`. */
export const formatDate = (instant: string): string => formatInstant(date, instant)

/** `09:12:31`. */
export const formatTime = (at: Date): string => clock().format(at)
