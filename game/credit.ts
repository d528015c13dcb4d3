import { type Cotton, ZERO } from './cotton.ts'

/** The two classes of credit that a player holds; the game shows their sum (design §5). */
export const CLASSES = ['deposited', 'earned'] as const

export type CreditClass = (typeof CLASSES)[number]

/** Where credit comes from and goes to. These accounts belong to the world, not to a player. */
export type WorldAccount = 'emission' | 'treasury' | 'pool' | 'burned' | 'held'

/** An amount split over both classes. */
export type Credit = Readonly<Record<CreditClass, Cotton>>

/** One side of a move: credit enters (positive) or leaves (negative) an account. The lines of a move sum to zero. */
export type Line = { wallet: string; account: CreditClass | WorldAccount; amount: Cotton }

export const NO_CREDIT: Credit = { deposited: ZERO, earned: ZERO }

/** The whole of a credit, as the player sees it. */
export function totalOf(credit: Credit): Cotton {
  return (credit.deposited + credit.earned) as Cotton
}

const least = (a: Cotton, b: Cotton): Cotton => (a < b ? a : b)

/** Which classes pay `price`: earned credit first. Null when the purse does not hold that much. */
export function payment(purse: Credit, price: Cotton): Credit | null {
  if (price < 0n || totalOf(purse) < price) return null
  const earned = least(purse.earned, price)
  return { earned, deposited: (price - earned) as Cotton }
}

/** Which classes a withdrawal takes: deposited first, earned only within what today's budget leaves. */
export function withdrawal(purse: Credit, amount: Cotton, budgetLeft: Cotton): Credit | null {
  if (amount <= 0n) return null
  const deposited = least(purse.deposited, amount)
  const earned = (amount - deposited) as Cotton
  return earned <= least(purse.earned, budgetLeft) ? { deposited, earned } : null
}

/** What could be withdrawn right now: all that was deposited, and earned credit within the budget. */
export function withdrawable(purse: Credit, budgetLeft: Cotton): Credit {
  return { deposited: purse.deposited, earned: least(purse.earned, budgetLeft > 0n ? budgetLeft : ZERO) }
}

const line = (wallet: string, account: Line['account'], amount: bigint): Line => ({
  wallet,
  account,
  amount: amount as Cotton,
})

const kept = (lines: Line[]): Line[] => lines.filter((each) => each.amount !== 0n)

/** Tokens arrived on the chain: treasury → deposited. */
export function depositLines(wallet: string, amount: Cotton): Line[] {
  return [line(wallet, 'treasury', -amount), line(wallet, 'deposited', amount)]
}

/** A harvest: emission → earned. */
export function claimLines(wallet: string, amount: Cotton): Line[] {
  return [line(wallet, 'emission', -amount), line(wallet, 'earned', amount)]
}

/** A picker or a parcel bought from the game: what was earned is burned, what was deposited feeds the pool. */
export function primarySaleLines(wallet: string, paid: Credit): Line[] {
  return kept([
    line(wallet, 'earned', -paid.earned),
    line(wallet, 'burned', paid.earned),
    line(wallet, 'deposited', -paid.deposited),
    line(wallet, 'pool', paid.deposited),
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
export function resaleLines({ buyer, seller }: { buyer: string; seller: string }, paid: Credit): Line[] {
  const fee = totalOf(paid) / 10n
  const tenth = (paid.deposited + 9n) / 10n
  const feeDeposited = tenth < fee ? tenth : fee
  const feeEarned = fee - feeDeposited
  return kept([
    line(buyer, 'earned', -paid.earned),
    line(buyer, 'deposited', -paid.deposited),
    line(seller, 'earned', paid.earned - feeEarned),
    line(seller, 'deposited', paid.deposited - feeDeposited),
    line(seller, 'burned', feeEarned),
    line(seller, 'pool', feeDeposited),
  ])
}

/** A withdrawal is asked for: its tokens are held. Earned credit is burned, and the pool puts up the tokens for it. */
export function holdLines(wallet: string, taken: Credit): Line[] {
  return kept([
    line(wallet, 'deposited', -taken.deposited),
    line(wallet, 'earned', -taken.earned),
    line(wallet, 'burned', taken.earned),
    line(wallet, 'pool', -taken.earned),
    line(wallet, 'held', taken.deposited + taken.earned),
  ])
}

/** The payout is final on the chain: held → treasury. */
export function settleLines(wallet: string, taken: Credit): Line[] {
  const amount = totalOf(taken)
  return [line(wallet, 'held', -amount), line(wallet, 'treasury', amount)]
}

/** The payout can never land: every line of the hold, turned around. */
export function refundLines(wallet: string, taken: Credit): Line[] {
  return holdLines(wallet, taken).map((each) => line(each.wallet, each.account, -each.amount))
}

/**
 * A payout that left without a withdrawal is taken back from its wallet's balance: what a withdrawal and its settlement
 * do together.
 */
export function takeBackLines(wallet: string, taken: Credit): Line[] {
  return kept([
    line(wallet, 'deposited', -taken.deposited),
    line(wallet, 'earned', -taken.earned),
    line(wallet, 'burned', taken.earned),
    line(wallet, 'pool', -taken.earned),
    line(wallet, 'treasury', taken.deposited + taken.earned),
  ])
}

/** Tokens left that no balance covers, and the pool bears it: pool → treasury. */
export function bearLines(amount: Cotton): Line[] {
  return [line('operator', 'pool', -amount), line('operator', 'treasury', amount)]
}

/** The operator brings tokens that back rewards: treasury → pool. `operator` stands where a wallet would. */
export function fundingLines(amount: Cotton): Line[] {
  return [line('operator', 'treasury', -amount), line('operator', 'pool', amount)]
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
  const left = least(ofWorld, ofWallet)
  return left > 0n ? left : ZERO
}
