import { fromExact } from '#contract/console/values.ts'
import { formatCotton, formatExact, sumOf } from '#game/cotton.ts'
import { consoleMessages } from '#web/messages/en-console.ts'

/** An exact amount as people read it: `1,234.5`. */
export const formatAmount = (exact: string): string => formatExact(fromExact(exact))

/** With its unit: `1,234.5 $COTTON`. */
export const formatCredit = (exact: string): string => consoleMessages.credit(formatAmount(exact))

/** With its sign, for what is added or taken: `+1,234.5`. */
export const formatChange = (exact: string): string =>
  exact.startsWith('-') ? formatAmount(exact) : `+${formatAmount(exact)}`

/** The sum of exact amounts in whole $COTTON, rounded down: `1,234`. A sum of numbers may be a unit too low. */
export const formatTotal = (amounts: readonly string[]): string =>
  formatCotton(sumOf(amounts.map((each) => fromExact(each))))

/** An exact amount as a number, for charts only. */
export const toNumber = (exact: string): number => Number(exact)

/** Whether an exact amount is zero, however it is written. */
export const isZero = (exact: string): boolean => fromExact(exact) === 0n
