import { expect, test } from 'vitest'
import { baseUnits, cotton, ZERO } from '#game/cotton.ts'
import { type PlayerFacts, nextStep, stepIndex } from './next-step.ts'

const newcomer: PlayerFacts = {
  loggedIn: true,
  workers: [],
  balance: ZERO,
  prices: [cotton(50_000), cotton(100_000)],
  inWallet: ZERO,
  depositing: false,
}
const step = (more: Partial<PlayerFacts>) => nextStep({ ...newcomer, ...more })
const picker = { claimedGeneratedTokens: ZERO }

test('the steps are wallet, tokens, deposit, picker, claim; after the first claim there is none', () => {
  expect(nextStep({ ...newcomer, loggedIn: false, workers: undefined, balance: undefined })).toBe('wallet')
  expect(step({})).toBe('tokens')
  expect(step({ inWallet: cotton(60_000) })).toBe('deposit')
  expect(step({ balance: cotton(50_000) })).toBe('hire')
  expect(step({ workers: [picker] })).toBe('claim')
  expect(step({ workers: [picker, { claimedGeneratedTokens: cotton(1) }] })).toBe('finished')
})

test('tokens in the wallet and credit together are compared with the cheapest available picker', () => {
  expect(step({ balance: cotton(49_999), inWallet: baseUnits(500_000n) })).toBe('tokens')
  expect(step({ balance: cotton(49_999), inWallet: cotton(1) })).toBe('deposit')
  expect(step({ balance: cotton(60_000), prices: [cotton(100_000)] })).toBe('tokens')
  expect(step({ balance: cotton(60_000), prices: undefined })).toBe('hire')
})

test('a deposit on its way is a deposit until it is credited, although the wallet is empty', () => {
  expect(step({ depositing: true })).toBe('deposit')
  expect(step({ depositing: true, balance: cotton(50_000) })).toBe('hire')
})

test('no step is shown before the facts decide it; an unreadable chain does not block', () => {
  expect(step({ workers: undefined })).toBeNull()
  expect(step({ balance: undefined })).toBeNull()
  expect(step({ inWallet: undefined })).toBeNull()
  expect(step({ inWallet: null })).toBe('tokens')
  expect(step({ balance: cotton(50_000), inWallet: undefined })).toBe('hire')
})

test('tokens and deposit are displayed as one step of four', () => {
  expect((['wallet', 'tokens', 'deposit', 'hire', 'claim'] as const).map(stepIndex)).toEqual([0, 1, 1, 2, 3])
})
