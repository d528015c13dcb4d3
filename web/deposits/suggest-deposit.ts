import { baseUnits, type Cotton, cotton, LARGEST_REQUEST, smallerOf } from '#game/cotton.ts'

type DepositFacts = {
  inWallet: Cotton
  balance: Cotton
  /** The price of the cheapest picker. */
  price: Cotton
  /** The tokens have no value. */
  isTest: boolean
}

/**
 * The amount that a deposit starts with. Free test tokens: everything. Tokens of value: what the next picker lacks, or
 * the price of one, and never more than the wallet holds.
 */
export function suggestDeposit({ inWallet, balance, price, isTest }: DepositFacts): Cotton {
  const most = largestDeposit(inWallet)
  if (isTest) return most
  return smallerOf(balance < price ? baseUnits(price - balance) : price, most)
}

/** The largest amount that one request can deposit from this wallet. */
export const largestDeposit = (inWallet: Cotton): Cotton => smallerOf(inWallet, cotton(LARGEST_REQUEST))
