import { baseUnits, type Cotton, cotton, COTTON_DECIMALS } from '#game/cotton.ts'

const UNITS = cotton(1)

/** Formats an amount with all its digits and thousands separators: `-1,234.5`. */
export function formatCotton(amount: bigint): string {
  const size = amount < 0n ? -amount : amount
  const fraction = String(size % UNITS)
    .padStart(COTTON_DECIMALS, '0')
    .replace(/0+$/, '')
  const whole = (size / UNITS).toLocaleString('en-US')
  return `${amount < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** Parses `-1234.5` or `+1234.5` into base units. Null if it is not an amount with at most six decimals. */
export function parseSignedAmount(text: string): Cotton | null {
  const [, sign, whole, fraction = ''] = /^([+-]?)(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  if (whole === undefined) return null
  const size = BigInt(whole) * UNITS + BigInt(fraction.padEnd(COTTON_DECIMALS, '0'))
  return baseUnits(sign === '-' ? -size : size)
}
