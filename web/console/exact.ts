import { fromExact } from '#contract/console/values.ts'
import { formatExact } from '#game/cotton.ts'
import { consoleMessages } from '#web/messages/en-console.ts'

/** An exact amount as people read it: `1,234.5`. */
export const formatAmount = (exact: string): string => formatExact(fromExact(exact))

/** With its unit: `1,234.5 $COTTON`. */
export const formatCredit = (exact: string): string => consoleMessages.credit(formatAmount(exact))

/** With its sign, for what is added or taken: `+1,234.5`. */
export const formatChange = (exact: string): string =>
  exact.startsWith('-') ? formatAmount(exact) : `+${formatAmount(exact)}`

/** An exact amount as a number, for charts only. */
export const toNumber = (exact: string): number => Number(exact)

/** Whether an exact amount is zero, however it is written. */
export const isZero = (exact: string): boolean => fromExact(exact) === 0n
