import { WHOLE_BPS } from './basis-points.ts'
import { type Cotton, smallerOf, ZERO } from './cotton.ts'

/** The two classes of credit that a player holds; the game shows their sum (design §5). */
export const CLASSES = ['deposited', 'earned'] as const

export type CreditClass = (typeof CLASSES)[number]

/** Where credit comes from and goes to. These accounts belong to the world, not to a player. */
export const WORLD_ACCOUNTS = ['emission', 'treasury', 'pool', 'burned', 'held'] as const

export type WorldAccount = (typeof WORLD_ACCOUNTS)[number]

/** Why credit moves: every kind of journal, in the order of the database's type `move_kind`. */
export const JOURNAL_KINDS = [
  'deposit',
  'claim',
  'hire',
  'parcel',
  'resale',
  'withdrawal',
  'settlement',
  'refund',
  'funding',
  'adjustment',
  'cancellation',
] as const

export type JournalKind = (typeof JOURNAL_KINDS)[number]

/** An amount split over both classes. */
export type Credit = Readonly<Record<CreditClass, Cotton>>

/** One side of a movement: credit enters (positive) or leaves (negative) an account. The entries of a journal sum to zero. */
export type Entry = { wallet: string; account: CreditClass | WorldAccount; amount: Cotton }

export const NO_CREDIT: Credit = { deposited: ZERO, earned: ZERO }

/** The sum of both classes, which is what the player sees. */
export function totalOf(credit: Credit): Cotton {
  return (credit.deposited + credit.earned) as Cotton
}

/** The part of each class that pays `price`, earned credit first. Null if the balances are too small. */
export function splitPayment(balances: Credit, price: Cotton): Credit | null {
  if (price < 0n || totalOf(balances) < price) return null
  const earned = smallerOf(balances.earned, price)
  return { earned, deposited: (price - earned) as Cotton }
}

/** The part of each class in a withdrawal: deposited first, earned only within what is left of today's budget. */
export function splitWithdrawal(balances: Credit, amount: Cotton, budgetLeft: Cotton): Credit | null {
  if (amount <= 0n) return null
  const deposited = smallerOf(balances.deposited, amount)
  const earned = (amount - deposited) as Cotton
  return earned <= smallerOf(balances.earned, budgetLeft) ? { deposited, earned } : null
}

/** What can be withdrawn right now: all deposited credit, and earned credit within the budget. */
export function withdrawable(balances: Credit, budgetLeft: Cotton): Credit {
  return {
    deposited: balances.deposited,
    earned: smallerOf(balances.earned, budgetLeft > 0n ? budgetLeft : ZERO),
  }
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

/** A claim: emission → earned. */
export function claimEntries(wallet: string, amount: Cotton): Entry[] {
  return [entry(wallet, 'emission', -amount), entry(wallet, 'earned', amount)]
}

/** A worker or a parcel bought from the game: earned credit is burned, deposited credit goes to the pool. */
export function primarySaleEntries(wallet: string, paid: Credit): Entry[] {
  return nonZeroEntries([
    entry(wallet, 'earned', -paid.earned),
    entry(wallet, 'burned', paid.earned),
    entry(wallet, 'deposited', -paid.deposited),
    entry(wallet, 'pool', paid.deposited),
  ])
}

/** The fee of a resale as a share of the price (S-61). Rules, texts and terms take the number from here. */
export const FEE_BPS = 1_000n

const feeOf = (price: Cotton): Cotton => ((price * FEE_BPS) / WHOLE_BPS) as Cotton

/** What the seller of land receives: the price less the fee, which is rounded down (S-61). */
export function sellerReceives(price: Cotton): Cotton {
  return (price - feeOf(price)) as Cotton
}

/**
 * Land sold by one player to another. The fee is split over the classes of credit like the payment, and its deposited
 * part is rounded up. The seller receives the rest of each class.
 */
export function resaleEntries({ buyer, seller }: { buyer: string; seller: string }, paid: Credit): Entry[] {
  const fee = feeOf(totalOf(paid))
  const roundedUp = ((paid.deposited * FEE_BPS + WHOLE_BPS - 1n) / WHOLE_BPS) as Cotton
  const feeDeposited = smallerOf(roundedUp, fee)
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

/** A requested withdrawal: its tokens are held. Earned credit is burned, and the pool provides the tokens for it. */
export const holdEntries = (wallet: string, taken: Credit): Entry[] => takeEntries(wallet, taken, 'held')

/** Charges a payout without a withdrawal to its wallet's balance: like a hold, with the tokens already paid. */
export const takeBackEntries = (wallet: string, taken: Credit): Entry[] =>
  takeEntries(wallet, taken, 'treasury')

function takeEntries(wallet: string, taken: Credit, to: 'held' | 'treasury'): Entry[] {
  return nonZeroEntries([
    entry(wallet, 'deposited', -taken.deposited),
    entry(wallet, 'earned', -taken.earned),
    entry(wallet, 'burned', taken.earned),
    entry(wallet, 'pool', -taken.earned),
    entry(wallet, to, taken.deposited + taken.earned),
  ])
}

/** The payout is final on the chain: held → treasury. */
export function settlementEntries(wallet: string, taken: Credit): Entry[] {
  const amount = totalOf(taken)
  return [entry(wallet, 'held', -amount), entry(wallet, 'treasury', amount)]
}

/** The payout can never be included in a block: the entries of the hold, reversed. */
export function refundEntries(wallet: string, taken: Credit): Entry[] {
  return holdEntries(wallet, taken).map((each) => entry(each.wallet, each.account, -each.amount))
}

/** The wallet of journals that are nobody's: the operator moves tokens of the game itself. */
export const OPERATOR = 'operator'

/** Tokens that were paid out and that no balance covers, at the cost of the pool: pool → treasury. */
export function writeOffEntries(amount: Cotton): Entry[] {
  return [entry(OPERATOR, 'pool', -amount), entry(OPERATOR, 'treasury', amount)]
}

/** Tokens that the operator adds to back earned credit: treasury → pool. */
export function fundingEntries(amount: Cotton): Entry[] {
  return [entry(OPERATOR, 'treasury', -amount), entry(OPERATOR, 'pool', amount)]
}

/** The share of the pool that can be withdrawn as earned credit in one UTC day. */
export const DAILY_BUDGET_BPS = 100n

/** The share of a day's budget that one wallet can withdraw. */
export const WALLET_BUDGET_BPS = 200n

/** How much earned credit all players together can withdraw on a day that starts with this pool. */
export function dailyBudget(poolAtDayStart: Cotton): Cotton {
  return (poolAtDayStart > 0n ? (poolAtDayStart * DAILY_BUDGET_BPS) / WHOLE_BPS : 0n) as Cotton
}

/** What is left of a day's budget for one wallet: the smaller of what all players and the wallet have left. */
export function budgetLeft(day: { budget: Cotton; spent: Cotton; spentByWallet: Cotton }): Cotton {
  const ofAll = (day.budget - day.spent) as Cotton
  const ofWallet = ((day.budget * WALLET_BUDGET_BPS) / WHOLE_BPS - day.spentByWallet) as Cotton
  const left = smallerOf(ofAll, ofWallet)
  return left > 0n ? left : ZERO
}
