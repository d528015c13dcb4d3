import {
  type Cotton,
  cotton,
  formatCotton,
  formatExact,
  fromDecimal,
  smallerOf,
  toDecimal,
  wholeOf,
} from '#game/cotton.ts'
import { NUMBER_LOCALE, onFirstUse } from './locale.ts'

/** No balance comes near it, and a request can still name it. */
const LARGEST_TYPED = cotton(Number.MAX_SAFE_INTEGER)

/**
 * The $COTTON that a person typed, or null if it is not an amount above zero. `1,250.5` is one; `0`, `1e3` and `.5` are
 * not, nor are `1250,5`, which some read as 12505, and `0,500`, which some read as a half. An amount above the limit of a
 * request is one too, so that the player reads that it is too much.
 */
export function parseAmount(text: string): Cotton | null {
  const typed = toAscii(text).trim()
  if (!/^(\d+|[1-9]\d{0,2}(,\d{3})+)(\.\d+)?$/.test(typed)) return null
  const amount = fromDecimal(typed.replaceAll(',', ''))
  return amount ? smallerOf(amount, LARGEST_TYPED) : null
}

/** Like `parseAmount`, for amounts in whole $COTTON: `1.0` is null. */
export function parseWholeAmount(text: string): Cotton | null {
  return toAscii(text).includes('.') ? null : parseAmount(text)
}

/** The zeros of digits that keypads type: Arabic, Persian, Devanagari, Bengali and full-width ones. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xff10]

/** The text with ASCII digits and separators. The keypad of a phone in Egypt or Iran may have only those of its region. */
function toAscii(text: string): string {
  return text
    .replaceAll(/\p{Nd}/gu, (digit) => {
      const value = ZEROS.map((zero) => digit.charCodeAt(0) - zero).find((each) => each >= 0 && each <= 9)
      return value === undefined ? digit : String(value)
    })
    .replaceAll(/[\u066b\uff0e]/g, '.')
    .replaceAll(/[\u066c\uff0c]/g, ',')
}

/** `1,234`, floored like every amount (S-62), but `0.75` for an amount between 0 and 1. */
export function formatAmount(amount: Cotton | null): string {
  return amount !== null && amount > 0n && wholeOf(amount) === 0n ? formatExact(amount) : formatCotton(amount)
}

/** An amount as a player would type it: `1234.5`. Empty if it is unknown. */
export const formatInput = (amount: Cotton | null): string => (amount === null ? '' : toDecimal(amount))

const shortFormat = (maximumFractionDigits: number) =>
  onFirstUse(
    () =>
      new Intl.NumberFormat(NUMBER_LOCALE, {
        notation: 'compact',
        maximumFractionDigits,
        roundingMode: 'floor',
      }),
  )

const shortFormats = {
  1: shortFormat(1),
  2: shortFormat(2),
}

/** `12.34M` with two decimals at most, `12.3M` with one, for places too small for all digits. Rounded down (S-62). */
export function formatShort(amount: Cotton | null, decimals: 1 | 2): string {
  return amount === null ? '–' : shortFormats[decimals]().format(wholeOf(amount) / cotton(1))
}

/** From here on an amount is shortened where space is limited. */
const LARGE = cotton(100_000_000)

export const isLarge = (amount: Cotton): boolean => amount >= LARGE

/** `185.32M` for a large amount, rounded down like every amount (S-62); all digits for any other. */
export function formatCompact(amount: Cotton): string {
  return isLarge(amount) ? formatShort(amount, 2) : formatCotton(amount)
}
