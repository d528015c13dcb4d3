import { fromWire, LARGEST_REQUEST, formatCotton } from '#game/cotton.ts'
import { NUMBER_LOCALE } from './locale.ts'

/**
 * The $COTTON that a person typed, or null where it is not an amount: `1,250.5` is; `0`, `1e3` and `.` are not, nor is
 * `1250,5`, which means ten times as much to one reader as to the next. One that is larger than any request is an amount,
 * so that the person is told that it is too much.
 */
export function parseAmount(text: string): number | null {
  const typed = text.trim()
  if (!/^(\d+|\d{1,3}(,\d{3})+)(\.\d{1,6})?$/.test(typed)) return null
  const plain = typed.replaceAll(',', '')
  const amount = Number(plain)
  if (amount > LARGEST_REQUEST) return Math.min(amount, Number.MAX_SAFE_INTEGER)
  return fromWire(amount) === null ? null : amount
}

/** `1,234`, floored like every amount (S-62), but `0.75` for what would read 0 without being nothing. */
export function formatAmount(amount: number): string {
  return amount > 0 && amount < 1 ? formatExact(amount) : formatCotton(amount)
}

/** `1,234.5`: every digit that the amount has, for the one line that names a movement exactly (ADR 56). */
export function formatExact(amount: number): string {
  if (!Number.isFinite(amount)) return '–'
  return amount.toLocaleString(NUMBER_LOCALE, { maximumFractionDigits: 6 })
}

/** The amount as one would type it. */
export function formatInput(amount: number): string {
  if (!Number.isFinite(amount)) return ''
  return amount.toLocaleString(NUMBER_LOCALE, { maximumFractionDigits: 6, useGrouping: false })
}
