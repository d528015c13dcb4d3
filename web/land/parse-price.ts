import { HIGHEST_LISTING_PRICE } from '#contract/market.ts'
import { cotton, toWire } from '#game/cotton.ts'
import { sellerReceives } from '#game/credit.ts'

/** The price that a person typed, in whole $COTTON; null where it is none: `0`, `1.5`, `1e3`, `1,00`, above 10¹². */
export function parsePrice(text: string): number | null {
  const typed = text.trim()
  if (!/^(\d{1,16}|\d{1,3}(,\d{3}){1,4})$/.test(typed)) return null
  const price = Number(typed.replaceAll(',', ''))
  return price >= 1 && price <= HIGHEST_LISTING_PRICE ? price : null
}

/** What of a price the seller gets, and what is the fee; to the base unit, as the ledger will do it. */
export function splitPrice(price: number): { receives: number; fee: number } {
  const whole = cotton(price)
  const receives = sellerReceives(whole)
  return { receives: toWire(receives), fee: Number(whole - receives) / 1_000_000 }
}
