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
  const digits = /^(\d+)(?:\.(\d{1,6}))?$/.exec(String(amount))
  if (!digits) return null
  return (BigInt(digits[1]!) * UNITS + BigInt((digits[2] ?? '').padEnd(COTTON_DECIMALS, '0'))) as Cotton
}

/** Base units as a JSON number of $COTTON. Above 2³³ the last digits may round; the ledger's never do. */
export function toWire(amount: Cotton): number {
  return Number(amount) / Number(UNITS)
}

/** `1,234`: floored, with thousands separators, as every amount of the game is shown (S-62); a dash for none. */
export function formatCotton(amount: Cotton | number): string {
  if (typeof amount !== 'bigint' && !Number.isFinite(amount)) return '–'
  const whole =
    typeof amount === 'bigint'
      ? amount < 0n
        ? -(-amount / UNITS)
        : amount / UNITS
      : BigInt(Math.floor(amount))
  return whole.toLocaleString('en-US')
}
