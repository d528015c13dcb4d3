import { baseUnits, type Cotton, fromDecimal } from '#game/cotton.ts'

/** Parses `-1234.5` or `+1234.5` into base units. Null if it is not an amount with at most 12 digits and 6 decimals. */
export function parseSignedAmount(text: string): Cotton | null {
  const [, sign, size = ''] = /^([+-]?)(\d{1,12}(?:\..*)?)$/.exec(text) ?? []
  const amount = fromDecimal(size)
  return amount === null || sign !== '-' ? amount : baseUnits(-amount)
}
