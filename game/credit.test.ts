import fc from 'fast-check'
import { expect, test } from 'vitest'
import { baseUnits, cotton, type Cotton, ZERO } from './cotton.ts'
import {
  budgetLeft,
  claimLines,
  type Credit,
  dailyBudget,
  depositLines,
  fundingLines,
  holdLines,
  type Line,
  payment,
  primarySaleLines,
  refundLines,
  resaleLines,
  sellerReceives,
  settleLines,
  totalOf,
  withdrawable,
  withdrawal,
} from './credit.ts'

const amounts = fc.bigInt({ min: 0n, max: 10n ** 16n }).map(baseUnits)
const credits = fc.record({ deposited: amounts, earned: amounts })
const sum = (lines: Line[]): bigint => lines.reduce((total, line) => total + line.amount, 0n)
const moved = (lines: Line[], wallet: string, account: string): bigint =>
  sum(lines.filter((line) => line.wallet === wallet && line.account === account))

test('the lines of every move sum to zero and none of them is empty', () => {
  fc.assert(
    fc.property(credits, amounts, (credit, amount) => {
      const moves = [
        primarySaleLines('a', credit),
        resaleLines({ buyer: 'a', seller: 'b' }, credit),
        holdLines('a', credit),
        refundLines('a', credit),
      ]
      const plain = [
        depositLines('a', amount),
        claimLines('a', amount),
        fundingLines(amount),
        settleLines('a', credit),
      ]
      return (
        [...moves, ...plain].every((lines) => sum(lines) === 0n) &&
        moves.flat().every((line) => line.amount !== 0n)
      )
    }),
  )
})

test('spending takes earned credit first, and never more than the purse holds', () => {
  expect(payment({ deposited: cotton(100), earned: cotton(60) }, cotton(120))).toEqual({
    earned: cotton(60),
    deposited: cotton(60),
  })
  expect(payment({ deposited: cotton(1), earned: cotton(1) }, cotton(3))).toBeNull()
  fc.assert(
    fc.property(credits, amounts, (purse, price) => {
      const paid = payment(purse, price)
      if (!paid) return totalOf(purse) < price
      return totalOf(paid) === price && paid.earned <= purse.earned && paid.deposited <= purse.deposited
    }),
  )
})

test('a picker paid with earned credit burns it; paid with deposited credit it feeds the pool', () => {
  const lines = primarySaleLines('a', { earned: cotton(20_000), deposited: cotton(30_000) })
  expect(moved(lines, 'a', 'burned')).toBe(cotton(20_000))
  expect(moved(lines, 'a', 'pool')).toBe(cotton(30_000))
})

test('a resale takes a tenth as fee and the seller keeps the rest of each class', () => {
  const lines = resaleLines(
    { buyer: 'bob', seller: 'alice' },
    { earned: cotton(60_000), deposited: cotton(60_000) },
  )
  expect(moved(lines, 'alice', 'earned')).toBe(cotton(54_000))
  expect(moved(lines, 'alice', 'deposited')).toBe(cotton(54_000))
  expect(moved(lines, 'alice', 'burned')).toBe(cotton(6_000))
  expect(moved(lines, 'alice', 'pool')).toBe(cotton(6_000))
})

test('the fee of a resale is a tenth rounded down, whatever the classes', () => {
  fc.assert(
    fc.property(credits, (paid) => {
      const lines = resaleLines({ buyer: 'a', seller: 'b' }, paid)
      const fee = moved(lines, 'b', 'burned') + moved(lines, 'b', 'pool')
      const received = moved(lines, 'b', 'earned') + moved(lines, 'b', 'deposited')
      if (received !== sellerReceives(totalOf(paid))) return false
      return (
        fee === totalOf(paid) / 10n &&
        moved(lines, 'b', 'earned') >= 0n &&
        moved(lines, 'b', 'deposited') >= 0n
      )
    }),
  )
})

test('a withdrawal takes deposited credit first, and earned credit only within the budget', () => {
  const purse = { deposited: cotton(100), earned: cotton(50) }
  expect(withdrawal(purse, cotton(120), cotton(30))).toEqual({ deposited: cotton(100), earned: cotton(20) })
  expect(withdrawal(purse, cotton(120), cotton(19))).toBeNull()
  expect(withdrawal(purse, ZERO, cotton(30))).toBeNull()
  expect(withdrawable(purse, cotton(30))).toEqual({ deposited: cotton(100), earned: cotton(30) })
})

test('what is said to be withdrawable can be withdrawn, and one unit more cannot', () => {
  fc.assert(
    fc.property(credits, amounts, (purse: Credit, budget: Cotton) => {
      const most = totalOf(withdrawable(purse, budget))
      const whole = most === 0n || withdrawal(purse, most, budget) !== null
      return whole && withdrawal(purse, baseUnits(most + 1n), budget) === null
    }),
  )
})

test('a hold that comes back leaves no trace in any account', () => {
  fc.assert(
    fc.property(credits, (taken) => {
      const both = [...holdLines('a', taken), ...refundLines('a', taken)]
      return ['deposited', 'earned', 'burned', 'pool', 'held'].every(
        (account) => moved(both, 'a', account) === 0n,
      )
    }),
  )
})

test('a day gives out one percent of the pool, and one wallet two percent of that', () => {
  const budget = dailyBudget(cotton(100_000_000))
  expect(budget).toBe(cotton(1_000_000))
  expect(budgetLeft({ budget, spent: ZERO, spentByWallet: ZERO })).toBe(cotton(20_000))
  expect(budgetLeft({ budget, spent: cotton(990_000), spentByWallet: ZERO })).toBe(cotton(10_000))
  expect(budgetLeft({ budget, spent: ZERO, spentByWallet: cotton(20_000) })).toBe(ZERO)
  expect(dailyBudget(baseUnits(-5n))).toBe(ZERO)
})

test('for every price from 1 to 1,000,000 the seller’s part and the fee add up to it', () => {
  for (let whole = 1; whole <= 1_000_000; whole++) {
    const price = cotton(whole)
    const received = sellerReceives(price)
    if (received * 10n !== price * 9n) throw new Error(`${whole}: ${received}`)
  }
})
