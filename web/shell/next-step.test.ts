import { expect, test } from 'vitest'
import { type PlayerFacts, nextStep, stepIndex } from './next-step.ts'

const newcomer: PlayerFacts = {
  loggedIn: true,
  workers: [],
  balance: 0,
  prices: [50_000, 100_000],
  inWallet: 0,
}
const step = (more: Partial<PlayerFacts>) => nextStep({ ...newcomer, ...more })
const picker = { claimedGeneratedTokens: 0 }

test('the steps are wallet, tokens, deposit, picker, claim; after the first claim there is none', () => {
  expect(nextStep({ ...newcomer, loggedIn: false, workers: undefined, balance: undefined })).toBe('wallet')
  expect(step({})).toBe('tokens')
  expect(step({ inWallet: 60_000 })).toBe('deposit')
  expect(step({ balance: 50_000 })).toBe('hire')
  expect(step({ workers: [picker] })).toBe('claim')
  expect(step({ workers: [picker, { claimedGeneratedTokens: 1 }] })).toBe('finished')
})

test('tokens in the wallet and credit together are compared with the cheapest available picker', () => {
  expect(step({ balance: 49_999, inWallet: 0.5 })).toBe('tokens')
  expect(step({ balance: 49_999, inWallet: 1 })).toBe('deposit')
  expect(step({ balance: 60_000, prices: [100_000] })).toBe('tokens')
  expect(step({ balance: 60_000, prices: undefined })).toBe('hire')
})

test('no step is shown before the facts decide it; an unreadable chain does not block', () => {
  expect(step({ workers: undefined })).toBeNull()
  expect(step({ balance: undefined })).toBeNull()
  expect(step({ inWallet: undefined })).toBeNull()
  expect(step({ inWallet: null })).toBe('tokens')
  expect(step({ balance: 50_000, inWallet: undefined })).toBe('hire')
})

test('tokens and deposit are displayed as one step of four', () => {
  expect((['wallet', 'tokens', 'deposit', 'hire', 'claim'] as const).map(stepIndex)).toEqual([0, 1, 1, 2, 3])
})
