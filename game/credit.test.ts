import fc from 'fast-check'
import { expect, test } from 'vitest'
import { baseUnits, cotton, type Cotton, ZERO } from './cotton.ts'
import {
  budgetLeft,
  claimEntries,
  type Credit,
  dailyBudget,
  depositEntries,
  fundingEntries,
  holdEntries,
  NO_CREDIT,
  type Entry,
  splitPayment,
  primarySaleEntries,
  refundEntries,
  resaleEntries,
  sellerReceives,
  settlementEntries,
  takeBackEntries,
  totalOf,
  withdrawable,
  writeOffEntries,
  splitWithdrawal,
} from './credit.ts'

const amounts = fc.bigInt({ min: 0n, max: 10n ** 16n }).map(baseUnits)
const credits = fc.record({ deposited: amounts, earned: amounts })
const sum = (entries: Entry[]): bigint => entries.reduce((total, entry) => total + entry.amount, 0n)
const moved = (entries: Entry[], wallet: string, account: string): bigint =>
  sum(entries.filter((entry) => entry.wallet === wallet && entry.account === account))

test('the entries of every movement sum to zero, and none is zero', () => {
  fc.assert(
    fc.property(credits, amounts, (credit, amount) => {
      const moves = [
        primarySaleEntries('a', credit),
        resaleEntries({ buyer: 'a', seller: 'b' }, credit),
        holdEntries('a', credit),
        refundEntries('a', credit),
        takeBackEntries('a', credit),
      ]
      const plain = [
        depositEntries('a', amount),
        claimEntries('a', amount),
        fundingEntries(amount),
        settlementEntries('a', credit),
        writeOffEntries(amount),
      ]
      return (
        [...moves, ...plain].every((entries) => sum(entries) === 0n) &&
        moves.flat().every((entry) => entry.amount !== 0n)
      )
    }),
  )
})

test('spending takes earned credit first, and never more than the balance', () => {
  expect(splitPayment({ deposited: cotton(100), earned: cotton(60) }, cotton(120))).toEqual({
    earned: cotton(60),
    deposited: cotton(60),
  })
  expect(splitPayment({ deposited: cotton(1), earned: cotton(1) }, cotton(3))).toBeNull()
  fc.assert(
    fc.property(credits, amounts, (balances, price) => {
      const paid = splitPayment(balances, price)
      if (!paid) return totalOf(balances) < price
      if (paid.deposited > 0n && paid.earned !== balances.earned) return false
      return totalOf(paid) === price && paid.earned <= balances.earned && paid.deposited <= balances.deposited
    }),
  )
})

test('earned credit spent on a picker is burned, and deposited credit goes to the pool', () => {
  const entries = primarySaleEntries('a', { earned: cotton(20_000), deposited: cotton(30_000) })
  expect(moved(entries, 'a', 'burned')).toBe(cotton(20_000))
  expect(moved(entries, 'a', 'pool')).toBe(cotton(30_000))
})

test('a resale takes a tenth as the fee, and the seller receives the rest of each class (S-61)', () => {
  const entries = resaleEntries(
    { buyer: 'bob', seller: 'alice' },
    { earned: cotton(60_000), deposited: cotton(60_000) },
  )
  expect(moved(entries, 'alice', 'earned')).toBe(cotton(54_000))
  expect(moved(entries, 'alice', 'deposited')).toBe(cotton(54_000))
  expect(moved(entries, 'alice', 'burned')).toBe(cotton(6_000))
  expect(moved(entries, 'alice', 'pool')).toBe(cotton(6_000))
})

test('the fee of a resale is a tenth, rounded down, for any classes of credit (A-04)', () => {
  // Of 20 the fee is 2. Its deposited part, 1.5, is rounded up.
  const paidInUnits = { earned: baseUnits(5n), deposited: baseUnits(15n) }
  const small = resaleEntries({ buyer: 'a', seller: 'b' }, paidInUnits)
  const received = ['earned', 'deposited', 'burned', 'pool'].map((account) => moved(small, 'b', account))
  expect(received).toEqual([5n, 13n, 0n, 2n])
  fc.assert(
    fc.property(credits, (paid) => {
      const entries = resaleEntries({ buyer: 'a', seller: 'b' }, paid)
      const fee = moved(entries, 'b', 'burned') + moved(entries, 'b', 'pool')
      const total = moved(entries, 'b', 'earned') + moved(entries, 'b', 'deposited')
      if (total !== sellerReceives(totalOf(paid))) return false
      return (
        fee === totalOf(paid) / 10n &&
        moved(entries, 'b', 'earned') >= 0n &&
        moved(entries, 'b', 'deposited') >= 0n &&
        moved(entries, 'b', 'burned') >= 0n &&
        moved(entries, 'b', 'pool') >= 0n
      )
    }),
  )
})

test('a withdrawal takes deposited credit first, and earned credit only within the budget', () => {
  const balances = { deposited: cotton(100), earned: cotton(50) }
  expect(splitWithdrawal(balances, cotton(120), cotton(30))).toEqual({
    deposited: cotton(100),
    earned: cotton(20),
  })
  expect(splitWithdrawal(balances, cotton(120), cotton(19))).toBeNull()
  expect(splitWithdrawal(balances, ZERO, cotton(30))).toBeNull()
  expect(withdrawable(balances, cotton(30))).toEqual({ deposited: cotton(100), earned: cotton(30) })
  fc.assert(
    fc.property(credits, amounts, amounts, (of, amount, budget) => {
      const taken = splitWithdrawal(of, amount, budget)
      if (!taken) return amount === 0n || amount > totalOf(withdrawable(of, budget))
      if (taken.earned > 0n && taken.deposited !== of.deposited) return false
      const isWithin = taken.earned <= budget && taken.earned <= of.earned && taken.deposited <= of.deposited
      return isWithin && totalOf(taken) === amount
    }),
  )
})

test('the withdrawable amount can be withdrawn, and one base unit more cannot', () => {
  fc.assert(
    fc.property(credits, amounts, (balances: Credit, budget: Cotton) => {
      const most = totalOf(withdrawable(balances, budget))
      const whole = most === 0n || splitWithdrawal(balances, most, budget) !== null
      return whole && splitWithdrawal(balances, baseUnits(most + 1n), budget) === null
    }),
  )
})

test('a refunded hold leaves every account unchanged', () => {
  fc.assert(
    fc.property(credits, (taken) => {
      const both = [...holdEntries('a', taken), ...refundEntries('a', taken)]
      return ['deposited', 'earned', 'burned', 'pool', 'held'].every(
        (account) => moved(both, 'a', account) === 0n,
      )
    }),
  )
})

test('each movement takes from one account and gives to another', () => {
  const taken = { deposited: cotton(5), earned: cotton(2) }
  const all = (entries: Entry[]) => entries.map(({ wallet, account, amount }) => [wallet, account, amount])
  expect(all(depositEntries('a', cotton(1)))).toEqual([
    ['a', 'treasury', -cotton(1)],
    ['a', 'deposited', cotton(1)],
  ])
  expect(all(claimEntries('a', cotton(1)))).toEqual([
    ['a', 'emission', -cotton(1)],
    ['a', 'earned', cotton(1)],
  ])
  expect(all(primarySaleEntries('a', taken))).toEqual([
    ['a', 'earned', -cotton(2)],
    ['a', 'burned', cotton(2)],
    ['a', 'deposited', -cotton(5)],
    ['a', 'pool', cotton(5)],
  ])
  expect(all(resaleEntries({ buyer: 'a', seller: 'b' }, taken)).slice(0, 2)).toEqual([
    ['a', 'earned', -cotton(2)],
    ['a', 'deposited', -cotton(5)],
  ])
  expect(all(holdEntries('a', taken))).toEqual([
    ['a', 'deposited', -cotton(5)],
    ['a', 'earned', -cotton(2)],
    ['a', 'burned', cotton(2)],
    ['a', 'pool', -cotton(2)],
    ['a', 'held', cotton(7)],
  ])
  expect(all(takeBackEntries('a', taken))).toEqual([
    ...all(holdEntries('a', taken)).slice(0, 4),
    ['a', 'treasury', cotton(7)],
  ])
  expect(all(settlementEntries('a', taken))).toEqual([
    ['a', 'held', -cotton(7)],
    ['a', 'treasury', cotton(7)],
  ])
  expect(all(fundingEntries(cotton(1)))).toEqual([
    ['operator', 'treasury', -cotton(1)],
    ['operator', 'pool', cotton(1)],
  ])
  expect(all(writeOffEntries(cotton(1)))).toEqual([
    ['operator', 'pool', -cotton(1)],
    ['operator', 'treasury', cotton(1)],
  ])
})

test('nothing is paid at a negative price, and a price may take the whole balance', () => {
  const balances = { deposited: cotton(1), earned: cotton(2) }
  expect(splitPayment(balances, baseUnits(-1n))).toBeNull()
  expect(splitPayment(balances, ZERO)).toEqual({ deposited: ZERO, earned: ZERO })
  expect(NO_CREDIT).toEqual({ deposited: ZERO, earned: ZERO })
  expect(splitPayment(balances, cotton(3))).toEqual(balances)
})

test('the daily budget is one percent of the pool, and one wallet can take two percent of it', () => {
  const budget = dailyBudget(cotton(100_000_000))
  expect(budget).toBe(cotton(1_000_000))
  expect(budgetLeft({ budget, spent: ZERO, spentByWallet: ZERO })).toBe(cotton(20_000))
  expect(budgetLeft({ budget, spent: cotton(990_000), spentByWallet: ZERO })).toBe(cotton(10_000))
  expect(budgetLeft({ budget, spent: ZERO, spentByWallet: cotton(20_000) })).toBe(ZERO)
  expect(budgetLeft({ budget, spent: budget, spentByWallet: cotton(20_001) })).toBe(ZERO)
  expect(dailyBudget(baseUnits(-500n))).toBe(ZERO)
  expect(withdrawable({ deposited: ZERO, earned: cotton(1) }, baseUnits(-1n)).earned).toBe(ZERO)
})

test('for every price from 1 to 1,000,000 the seller receives exactly nine tenths', () => {
  for (let whole = 1; whole <= 1_000_000; whole++) {
    const price = cotton(whole)
    const received = sellerReceives(price)
    if (received * 10n !== price * 9n) throw new Error(`${whole}: ${received}`)
  }
})
