import { fromWire } from '#game/cotton.ts'

/** The $COTTON that a person typed, or null where it is not an amount: `1,250.5` is, `0`, `1e3` and `.` are not. */
export function typedAmount(text: string): number | null {
  const plain = text.trim().replaceAll(',', '')
  if (!/^\d+(\.\d{1,6})?$/.test(plain)) return null
  const amount = Number(plain)
  return fromWire(amount) === null ? null : amount
}

/** `1,234.5`: every digit that the amount has, for amounts that leave or enter the game. */
export function exact(amount: number): string {
  return amount.toLocaleString('en-US', { maximumFractionDigits: 6 })
}

/** The amount as one would type it. */
export function asTyped(amount: number): string {
  return amount.toLocaleString('en-US', { maximumFractionDigits: 6, useGrouping: false })
}

const moment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

/** `20 Nov, 09:12` in the player's own time. */
export function shownMoment(instant: string): string {
  return moment.format(new Date(instant))
}
