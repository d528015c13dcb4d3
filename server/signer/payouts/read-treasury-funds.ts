import { readCappedUnitPrice } from './unit-price.ts'
import { COMPUTE_UNIT_LIMIT } from '#server/chain/transactions.ts'
import type { OpenPayout } from '#server/withdrawals/open-withdrawals.ts'
import type { Signer } from '../signer.ts'

const LAMPORTS_PER_SIGNATURE = 5_000n
const MICRO = 1_000_000n

/** The size of a token account, of which somebody must pay the rent. */
const TOKEN_ACCOUNT_BYTES = 165

/** What the treasury can pay right now, less what is on its way: base units and lamports. */
export type TreasuryFunds = {
  tokens: bigint
  lamports: bigint
  unitPrice: bigint
  costOf(opensAccount: boolean): bigint
}

/** Reads what the treasury can pay at this moment's price of a place in a block. */
export async function readTreasuryFunds(signer: Signer, open: readonly OpenPayout[]): Promise<TreasuryFunds> {
  const { chain, treasury, treasuryTokens } = signer
  const unitPrice = await readCappedUnitPrice(signer)
  const rent = await chain.rentFor(TOKEN_ACCOUNT_BYTES)
  const costAt = (price: bigint, opensAccount: boolean): bigint =>
    LAMPORTS_PER_SIGNATURE + (price * BigInt(COMPUTE_UNIT_LIMIT)) / MICRO + (opensAccount ? rent : 0n)
  const tokensInFlight = open.reduce((sum, payout) => sum + payout.amount, 0n)
  const lamportsInFlight = open.reduce(
    (sum, payout) => sum + costAt(payout.attempts.at(-1)!.unitPrice, payout.opensAccount),
    0n,
  )
  // The fee payer itself must stay alive: an account with less than its rent cannot pay.
  const feePayerRent = await chain.rentFor(0)
  return {
    tokens: (await chain.tokenBalance(treasuryTokens, 'finalized')) - tokensInFlight,
    lamports: (await chain.lamports(treasury.address, 'finalized')) - lamportsInFlight - feePayerRent,
    unitPrice,
    costOf: (opensAccount) => costAt(unitPrice, opensAccount),
  }
}
