declare const unit: unique symbol

/**
 * An amount of $COTTON in base units: one $COTTON is 1,000,000 of them, the decimals of the mint.
 * It is a bigint, so that no sum ever loses a unit; numbers exist only where money meets JSON.
 */
export type Cotton = bigint & { readonly [unit]: 'cotton' }

/** Decimals of the mint, and the most that an amount on the wire may have. */
export const COTTON_DECIMALS = 6

const UNITS = 10n ** BigInt(COTTON_DECIMALS)

/**
 * The largest amount that a request may name, in whole $COTTON. Below 2³³ neighbouring JSON numbers lie closer than
 * a base unit, so every amount of six decimals has a number of its own; above, two amounts would share one.
 */
export const LARGEST_REQUEST = 2 ** 33 - 1

export const ZERO = 0n as Cotton

/** Whole $COTTON as base units: `cotton(5_000)` is what a kid picks in an hour. */
export function cotton(whole: number | bigint): Cotton {
  return (BigInt(whole) * UNITS) as Cotton
}

/** Base units, as they come from a `bigint` column or the chain. */
export function baseUnits(units: bigint): Cotton {
  return units as Cotton
}

/** The amount without its fraction of a $COTTON, rounded down; still in base units. */
export function wholeOf(amount: Cotton): Cotton {
  return (amount - (amount % UNITS)) as Cotton
}

/**
 * A JSON number of $COTTON as base units, or null where it is not an amount: not finite, not above zero,
 * beyond 6 decimals, or larger than LARGEST_REQUEST.
 */
export function fromWire(amount: number): Cotton | null {
  if (!Number.isFinite(amount) || amount <= 0 || amount > LARGEST_REQUEST) return null
  return fromDecimal(String(amount))
}

/** `1234.5` in base units. Null for anything but digits with at most 6 decimals: no sign, separator or exponent. */
export function fromDecimal(text: string): Cotton | null {
  const digits = /^(\d+)(?:\.(\d{1,6}))?$/.exec(text)
  if (!digits) return null
  const [, whole = '', fraction = ''] = digits
  return (BigInt(whole) * UNITS + BigInt(fraction.padEnd(COTTON_DECIMALS, '0'))) as Cotton
}

/** The exact amount, without separators: `1234.5`. */
export function toDecimal(amount: bigint): string {
  const size = amount < 0n ? -amount : amount
  const fraction = String(size % UNITS)
    .padStart(COTTON_DECIMALS, '0')
    .replace(/0+$/, '')
  return `${amount < 0n ? '-' : ''}${size / UNITS}${fraction && '.'}${fraction}`
}

/** An amount in a reply as base units: any size and sign, and zero. Null if the number is not finite. */
export function fromReply(amount: number): Cotton | null {
  if (!Number.isFinite(amount)) return null
  const whole = Math.trunc(amount)
  // Multiplied alone, the fraction loses nothing, however large the whole part is.
  return (BigInt(whole) * UNITS + BigInt(Math.round((amount - whole) * Number(UNITS)))) as Cotton
}

/**
 * Base units as a JSON number of $COTTON. Whole $COTTON are exact up to 2⁵³. Above 2³³ the last digits of a fraction may
 * round; the ledger's never do.
 */
export function toWire(amount: Cotton): number {
  // Base units of a large whole amount have too many digits for a number.
  return amount % UNITS === 0n ? Number(amount / UNITS) : Number(amount) / Number(UNITS)
}

/** The sum of some amounts. */
export function sumOf(amounts: readonly Cotton[]): Cotton {
  return amounts.reduce((sum, amount) => (sum + amount) as Cotton, ZERO)
}

/** The smaller of two amounts. */
export function smallerOf(a: Cotton, b: Cotton): Cotton {
  return a < b ? a : b
}

/**
 * `1,234`: whole $COTTON, rounded down, with thousands separators (S-62); a dash for an unknown amount. It is here
 * because the sentences of the server's refusals use it too.
 */
export function formatCotton(amount: Cotton | null): string {
  if (amount === null) return '–'
  const rest = amount % UNITS
  return groupThousands(amount / UNITS - (rest < 0n ? 1n : 0n))
}

/** `1,234` for a count or a rate: rounded down, with thousands separators; a dash if it is not finite. */
export function formatCount(count: number): string {
  return Number.isFinite(count) ? groupThousands(BigInt(Math.floor(count))) : '–'
}

/** `1,234.5`: the exact amount of base units with thousands separators (ADR 56); a dash for an unknown amount. */
export function formatExact(amount: bigint | null): string {
  return amount === null ? '–' : toDecimal(amount).replace(/\d+/, (whole) => groupThousands(BigInt(whole)))
}

/** Like `toLocaleString('en-US')`, whose first call in a page takes a phone 0.1 s. */
function groupThousands(whole: bigint): string {
  return String(whole).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}
