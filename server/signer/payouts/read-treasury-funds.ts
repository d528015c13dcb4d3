import { readCappedUnitPrice, type UnitPriceDeps } from './unit-price.ts'
import { COMPUTE_UNIT_LIMIT, TOKEN_ACCOUNT_BYTES } from '#server/chain/transactions.ts'
import type { OpenPayout } from '#server/withdrawals/open-withdrawals.ts'
import type { TreasuryAddresses } from '../step-deps.ts'

const LAMPORTS_PER_SIGNATURE = 5_000n
const MICRO = 1_000_000n

/** What the treasury can pay now, without what is in flight, in base units and lamports. */
export type TreasuryFunds = {
  tokens: bigint
  lamports: bigint
  unitPrice: bigint
  costOf(opensAccount: boolean): bigint
}

/** Reads what the treasury can pay, and the current price of a compute unit. */
export async function readTreasuryFunds(
  deps: UnitPriceDeps & TreasuryAddresses,
  open: readonly OpenPayout[],
): Promise<TreasuryFunds> {
  const { chain, treasury, treasuryTokens } = deps
  const unitPrice = await readCappedUnitPrice(deps)
  const rent = await chain.rentFor(TOKEN_ACCOUNT_BYTES)
  // The chain rounds a priority fee up.
  const costAt = (price: bigint, opensAccount: boolean): bigint =>
    LAMPORTS_PER_SIGNATURE +
    (price * BigInt(COMPUTE_UNIT_LIMIT) + MICRO - 1n) / MICRO +
    (opensAccount ? rent : 0n)
  const tokensInFlight = open.reduce((sum, payout) => sum + payout.amount, 0n)
  const lamportsInFlight = open.reduce(
    (sum, payout) => sum + costAt(payout.attempts.at(-1)!.unitPrice, payout.opensAccount),
    0n,
  )
  // The fee payer must stay above its rent; an account below it cannot pay.
  const feePayerRent = await chain.rentFor(0)
  const account = await chain.tokenAccount(treasuryTokens, 'finalized')
  // While the issuer has frozen it, each payout would fail on the chain for a fee.
  const isUsable = account !== null && account.mint === chain.facts.mint && !account.frozen
  return {
    tokens: (isUsable ? account.amount : 0n) - tokensInFlight,
    lamports: (await chain.lamports(treasury.address, 'finalized')) - lamportsInFlight - feePayerRent,
    unitPrice,
    costOf: (opensAccount) => costAt(unitPrice, opensAccount),
  }
}
