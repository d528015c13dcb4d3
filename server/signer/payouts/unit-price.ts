import { ChainUnavailable } from '#server/chain/port.ts'
import type { Signer } from '../signer.ts'

/** What others pay to be early where the treasury is written, within the operator's cap: microlamports a compute unit. */
export async function readCappedUnitPrice({ chain, treasuryTokens, settings }: Signer): Promise<bigint> {
  const asked = await chain.unitPrice([treasuryTokens]).catch((error: unknown) => {
    // Not every provider answers this one; a payout without a tip lands too, later.
    if (error instanceof ChainUnavailable) return 0n
    throw error
  })
  return capPrice(asked, settings.maxUnitPriceMicrolamports)
}

/** Where a replacement starts that follows a payout without any tip. */
const SMALLEST_STEP = 1_000n

/** What the next attempt offers: twice the last one or the market's price, within the cap; null where that is no more. */
export function nextUnitPrice(of: { last: bigint; market: bigint; cap: bigint }): bigint | null {
  const doubled = of.last * 2n > SMALLEST_STEP ? of.last * 2n : SMALLEST_STEP
  const next = capPrice(doubled > of.market ? doubled : of.market, of.cap)
  return next > of.last ? next : null
}

const capPrice = (price: bigint, cap: bigint): bigint => (price < cap ? price : cap)
