import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { refuseAmount } from './refuse-amount.ts'

const credit = { deposited: cotton(2), earned: cotton(5) }

test('the whole balance is not above the balance, even if less can be withdrawn', () => {
  const refuse = (whole: number, needsDeposit = false) =>
    refuseAmount({ credit, amount: cotton(whole), budgetLeft: cotton(3), needsDeposit }).refusal
  expect(refuse(7)).toEqual({ code: 'not_withdrawable', facts: { available: '5' } })
  expect(refuse(7, true)).toEqual({ code: 'deposit_first', facts: { available: '2' } })
  expect(refuse(8)).toEqual({ code: 'above_balance', facts: { balance: '7', available: '5' } })
})
