import { type Cotton, ZERO } from './cotton.ts'

/** The two classes of credit that a player holds; the game shows their sum (design §5). */
export const CLASSES = ['deposited', 'earned'] as const

export type CreditClass = (typeof CLASSES)[number]

/** Where credit comes from and goes to. These accounts belong to the world, not to a player. */
export type WorldAccount = 'emission' | 'treasury' | 'pool' | 'burned' | 'held'

/** An amount split over both classes. */
export type Credit = Readonly<Record<CreditClass, Cotton>>

/** One side of a move: credit enters (positive) or leaves (negative) an account. The lines of a move sum to zero. */
export type Entry = { wallet: string; account: CreditClass | WorldAccount; amount: Cotton }

export const NO_CREDIT: Credit = { deposited: ZERO, earned: ZERO }

/** The whole of a credit, as the player sees it. */
export function totalOf(credit: Credit): Cotton {
  return (credit.deposited + credit.earned) as Cotton
}

const min = (a: Cotton, b: Cotton): Cotton => (a < b ? a : b)

/** Which classes pay `price`: earned credit first. Null when the purse does not hold that much. */
export function splitPayment(balances: Credit, price: Cotton): Credit | null {
  if (price < 0n || totalOf(balances) < price) return null
  const earned = min(balances.earned, price)
  return { earned, deposited: (price - earned) as Cotton }
}

/** Which classes a withdrawal takes: deposited first, earned only within what today's budget leaves. */
export function splitWithdrawal(balances: Credit, amount: Cotton, budgetLeft: Cotton): Credit | null {
  if (amount <= 0n) return null
  const deposited = min(balances.deposited, amount)
  const earned = (amount - deposited) as Cotton
  return earned <= min(balances.earned, budgetLeft) ? { deposited, earned } : null
}

/** What could be withdrawn right now: all that was deposited, and earned credit within the budget. */
export function withdrawable(balances: Credit, budgetLeft: Cotton): Credit {
  return { deposited: balances.deposited, earned: min(balances.earned, budgetLeft > 0n ? budgetLeft : ZERO) }
}

const entry = (wallet: string, account: Entry['account'], amount: bigint): Entry => ({
  wallet,
  account,
  amount: amount as Cotton,
})

const nonZeroEntries = (entries: Entry[]): Entry[] => entries.filter((each) => each.amount !== 0n)

/** Tokens arrived on the chain: treasury → deposited. */
export function depositEntries(wallet: string, amount: Cotton): Entry[] {
  return [entry(wallet, 'treasury', -amount), entry(wallet, 'deposited', amount)]
}

/** A harvest: emission → earned. */
export function claimEntries(wallet: string, amount: Cotton): Entry[] {
  return [entry(wallet, 'emission', -amount), entry(wallet, 'earned', amount)]
}

/** A picker or a parcel bought from the game: what was earned is burned, what was deposited feeds the pool. */
export function primarySaleEntries(wallet: string, paid: Credit): Entry[] {
  return nonZeroEntries([
    entry(wallet, 'earned', -paid.earned),
    entry(wallet, 'burned', paid.earned),
    entry(wallet, 'deposited', -paid.deposited),
    entry(wallet, 'pool', paid.deposited),
  ])
}

/** What the seller of land receives: the price less a tenth, rounded down (S-61). */
export function sellerReceives(price: Cotton): Cotton {
  return (price - price / 10n) as Cotton
}

/**
 * Land sold by one player to another. The fee is a tenth of the price, rounded down, split like the payment
 * (the deposited share rounds up); the seller keeps what is left of each class.
 */
export function resaleEntries({ buyer, seller }: { buyer: string; seller: string }, paid: Credit): Entry[] {
  const fee = totalOf(paid) / 10n
  const tenth = (paid.deposited + 9n) / 10n
  const feeDeposited = tenth < fee ? tenth : fee
  const feeEarned = fee - feeDeposited
  return nonZeroEntries([
    entry(buyer, 'earned', -paid.earned),
    entry(buyer, 'deposited', -paid.deposited),
    entry(seller, 'earned', paid.earned - feeEarned),
    entry(seller, 'deposited', paid.deposited - feeDeposited),
    entry(seller, 'burned', feeEarned),
    entry(seller, 'pool', feeDeposited),
  ])
}

/** A withdrawal is asked for: its tokens are held. Earned credit is burned, and the pool puts up the tokens for it. */
export function holdEntries(wallet: string, taken: Credit): Entry[] {
  return nonZeroEntries([
    entry(wallet, 'deposited', -taken.deposited),
    entry(wallet, 'earned', -taken.earned),
    entry(wallet, 'burned', taken.earned),
    entry(wallet, 'pool', -taken.earned),
    entry(wallet, 'held', taken.deposited + taken.earned),
  ])
}

/** The payout is final on the chain: held → treasury. */
export function settlementEntries(wallet: string, taken: Credit): Entry[] {
  const amount = totalOf(taken)
  return [entry(wallet, 'held', -amount), entry(wallet, 'treasury', amount)]
}

/** The payout can never land: every line of the hold, turned around. */
export function refundEntries(wallet: string, taken: Credit): Entry[] {
  return holdEntries(wallet, taken).map((each) => entry(each.wallet, each.account, -each.amount))
}

/**
 * A payout that left without a withdrawal is taken back from its wallet's balance: what a withdrawal and its settlement
 * do together.
 */
export function takeBackEntries(wallet: string, taken: Credit): Entry[] {
  return nonZeroEntries([
    entry(wallet, 'deposited', -taken.deposited),
    entry(wallet, 'earned', -taken.earned),
    entry(wallet, 'burned', taken.earned),
    entry(wallet, 'pool', -taken.earned),
    entry(wallet, 'treasury', taken.deposited + taken.earned),
  ])
}

/** Tokens left that no balance covers, and the pool bears it: pool → treasury. */
export function writeOffEntries(amount: Cotton): Entry[] {
  return [entry('operator', 'pool', -amount), entry('operator', 'treasury', amount)]
}

/** The operator brings tokens that back rewards: treasury → pool. `operator` stands where a wallet would. */
export function fundingEntries(amount: Cotton): Entry[] {
  return [entry('operator', 'treasury', -amount), entry('operator', 'pool', amount)]
}

/** The share of the pool that may leave as rewards in one UTC day. */
export const DAILY_BUDGET_BPS = 100n

/** The share of a day's budget that one wallet may take. */
export const WALLET_BUDGET_BPS = 200n

/** What the whole world may withdraw of earned credit on a day that starts with this pool. */
export function dailyBudget(poolAtDayStart: Cotton): Cotton {
  return (poolAtDayStart > 0n ? (poolAtDayStart * DAILY_BUDGET_BPS) / 10_000n : 0n) as Cotton
}

/** What one wallet may still take of a day's budget: the less of what the world and what the wallet have left. */
export function budgetLeft(day: { budget: Cotton; spent: Cotton; spentByWallet: Cotton }): Cotton {
  const ofWorld = (day.budget - day.spent) as Cotton
  const ofWallet = ((day.budget * WALLET_BUDGET_BPS) / 10_000n - day.spentByWallet) as Cotton
  const left = min(ofWorld, ofWallet)
  return left > 0n ? left : ZERO
}
