import { HIGHEST_LISTING_PRICE } from '#contract/market.ts'
import { baseUnits, type Cotton, cotton } from '#game/cotton.ts'
import { sellerReceives } from '#game/credit.ts'
import { parseWholeAmount } from '#web/messages/amount.ts'

/** The price that a seller typed, or null if no listing can have it: `0`, `1.5`, `1e3`, `1,00`, above 10¹². */
export function parsePrice(text: string): Cotton | null {
  const price = parseWholeAmount(text)
  return price !== null && price <= cotton(HIGHEST_LISTING_PRICE) ? price : null
}

/** What the seller receives and what the fee is, to the base unit, as in the ledger. */
export function splitPrice(price: Cotton): { receives: Cotton; fee: Cotton } {
  const receives = sellerReceives(price)
  return { receives, fee: baseUnits(price - receives) }
}
