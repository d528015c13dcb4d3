import { NUMBER_LOCALE, onFirstUse } from '#web/messages/locale.ts'

const compact = onFirstUse(
  () => new Intl.NumberFormat(NUMBER_LOCALE, { notation: 'compact', maximumFractionDigits: 1 }),
)

/** `1.2M`, for the axes of charts. */
export const formatShort = (value: number): string => compact().format(value)
