import { expect, test } from 'vitest'
import { cotton, LARGEST_REQUEST, ZERO } from '#game/cotton.ts'
import { suggestDeposit } from './suggest-deposit.ts'

const facts = { inWallet: cotton(1_000_000), balance: ZERO, price: cotton(50_000), isTest: false }

test('tokens of value start with what the next picker lacks', () => {
  expect(suggestDeposit(facts)).toBe(cotton(50_000))
  expect(suggestDeposit({ ...facts, balance: cotton(20_000) })).toBe(cotton(30_000))
  expect(suggestDeposit({ ...facts, balance: cotton(70_000) })).toBe(cotton(50_000))
})

test('test tokens start with the whole wallet', () => {
  expect(suggestDeposit({ ...facts, isTest: true })).toBe(cotton(1_000_000))
})

test('no suggestion is above the wallet or the limit of a request', () => {
  expect(suggestDeposit({ ...facts, inWallet: cotton(10) })).toBe(cotton(10))
  const inWallet = cotton(LARGEST_REQUEST * 2)
  expect(suggestDeposit({ ...facts, inWallet, isTest: true })).toBe(cotton(LARGEST_REQUEST))
})
