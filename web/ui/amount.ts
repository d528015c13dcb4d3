import { fromWire } from '#game/cotton.ts'
import { NUMBERS } from '#web/words/locale.ts'

/**
 * The $COTTON that a person typed, or null where it is not an amount: `1,250.5` is; `0`, `1e3` and `.` are not, nor is
 * `1250,5`, which means ten times as much to one reader as to the next.
 */
export function typedAmount(text: string): number | null {
  const typed = text.trim()
  if (!/^(\d+|\d{1,3}(,\d{3})+)(\.\d{1,6})?$/.test(typed)) return null
  const plain = typed.replaceAll(',', '')
  const amount = Number(plain)
  return fromWire(amount) === null ? null : amount
}

/** `1,234.5`: every digit that the amount has, for amounts that leave or enter the game. */
export function exact(amount: number): string {
  return amount.toLocaleString(NUMBERS, { maximumFractionDigits: 6 })
}

/** The amount as one would type it. */
export function asTyped(amount: number): string {
  return amount.toLocaleString(NUMBERS, { maximumFractionDigits: 6, useGrouping: false })
}
