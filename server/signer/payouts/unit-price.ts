import type { Address, Chain } from '#server/chain/port.ts'
import { readUnitPrice } from '#server/chain/unit-price.ts'
import type { WithdrawalSettings } from '#server/platform/withdrawal-settings.ts'

export type UnitPriceDeps = {
  chain: Chain
  treasuryTokens: Address
  settings: Pick<WithdrawalSettings, 'maxUnitPriceMicrolamports'>
}

/** The price that others pay to write to the treasury's account, within the cap: microlamports per compute unit. */
export async function readCappedUnitPrice({
  chain,
  treasuryTokens,
  settings,
}: UnitPriceDeps): Promise<bigint> {
  return capPrice(await readUnitPrice(chain, treasuryTokens), settings.maxUnitPriceMicrolamports)
}

/** The price of the first replacement of a payout without a priority fee. */
const SMALLEST_STEP = 1_000n

/**
 * The price of the next attempt: the higher of twice the last price and the market price, within the cap. null if that
 * is not higher than the last price.
 */
export function nextUnitPrice(of: { last: bigint; market: bigint; cap: bigint }): bigint | null {
  const doubled = of.last * 2n > SMALLEST_STEP ? of.last * 2n : SMALLEST_STEP
  const next = capPrice(doubled > of.market ? doubled : of.market, of.cap)
  return next > of.last ? next : null
}

const capPrice = (price: bigint, cap: bigint): bigint => (price < cap ? price : cap)
