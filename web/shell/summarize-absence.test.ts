import { expect, test } from 'vitest'
import { baseUnits, cotton } from '#game/cotton.ts'
import { summarizeAbsence } from './summarize-absence.ts'

const SINCE = new Date('2026-11-20T12:00:00.000Z')
const BEFORE = '2026-11-20T12:00:00.000Z'
const AFTER = '2026-11-20T12:00:00.001Z'
const LATER = '2026-11-20T18:30:00.000Z'

test('sales, deposits, payouts and corrections after the last visit are summed up by kind, with the names of sold land', () => {
  const sold = { status: 'sold' as const, sellerReceives: cotton(90_000), purchaseDate: AFTER }
  expect(
    summarizeAbsence(SINCE, {
      history: [
        { kind: 'adjustment', amount: cotton(-5), at: LATER },
        { kind: 'deposit', amount: baseUnits(100_500_000n), at: LATER },
        { kind: 'deposit', amount: cotton(20), at: AFTER },
      ],
      withdrawals: [
        { state: 'finalized', amount: cotton(700), settledAt: LATER },
        { state: 'refunded', amount: cotton(30), settledAt: LATER },
      ],
      listings: [
        { ...sold, countryName: 'Iceland' },
        { ...sold, countryName: 'Chile', sellerReceives: cotton(45_000) },
      ],
    }),
  ).toEqual([
    { kind: 'sold', count: 2, amount: cotton(135_000), names: ['Iceland', 'Chile'] },
    { kind: 'deposit', count: 2, amount: baseUnits(120_500_000n), names: [] },
    { kind: 'paid', count: 1, amount: cotton(700), names: [] },
    { kind: 'refunded', count: 1, amount: cotton(30), names: [] },
    { kind: 'adjustment', count: 1, amount: cotton(-5), names: [] },
  ])
})

test('earlier events, unfinished ones and the actions of the player are not included', () => {
  expect(
    summarizeAbsence(SINCE, {
      history: [
        { kind: 'claim', amount: cotton(14), at: LATER },
        { kind: 'resale', amount: cotton(90_000), at: LATER },
        { kind: 'withdrawal', amount: cotton(-700), at: LATER },
        { kind: 'deposit', amount: cotton(100), at: BEFORE },
      ],
      withdrawals: [
        { state: 'sent', amount: cotton(700), settledAt: null },
        { state: 'finalized', amount: cotton(300), settledAt: BEFORE },
      ],
      listings: [
        { status: 'active', countryName: 'Iceland', sellerReceives: cotton(90_000), purchaseDate: null },
        { status: 'sold', countryName: 'Chile', sellerReceives: cotton(90_000), purchaseDate: BEFORE },
      ],
    }),
  ).toEqual([])
})
