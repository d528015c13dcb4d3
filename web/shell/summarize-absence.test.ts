import { expect, test } from 'vitest'
import { summarizeAbsence } from './summarize-absence.ts'

const SINCE = new Date('2026-11-20T12:00:00.000Z')
const BEFORE = '2026-11-20T12:00:00.000Z'
const AFTER = '2026-11-20T12:00:00.001Z'
const LATER = '2026-11-20T18:30:00.000Z'

test('sales, deposits, payouts and corrections after the last visit are summed up by kind, with the names of sold land', () => {
  const sold = { status: 'sold' as const, sellerReceives: 90_000, purchaseDate: AFTER }
  expect(
    summarizeAbsence(SINCE, {
      history: [
        { kind: 'adjustment', amount: -5, at: LATER },
        { kind: 'deposit', amount: 100.5, at: LATER },
        { kind: 'deposit', amount: 20, at: AFTER },
      ],
      withdrawals: [
        { state: 'finalized', amount: 700, settledAt: LATER },
        { state: 'refunded', amount: 30, settledAt: LATER },
      ],
      listings: [
        { ...sold, countryName: 'Iceland' },
        { ...sold, countryName: 'Chile', sellerReceives: 45_000 },
      ],
    }),
  ).toEqual([
    { kind: 'sold', count: 2, amount: 135_000, names: ['Iceland', 'Chile'] },
    { kind: 'deposit', count: 2, amount: 120.5, names: [] },
    { kind: 'paid', count: 1, amount: 700, names: [] },
    { kind: 'refunded', count: 1, amount: 30, names: [] },
    { kind: 'adjustment', count: 1, amount: -5, names: [] },
  ])
})

test('earlier events, unfinished ones and the actions of the player are not included', () => {
  expect(
    summarizeAbsence(SINCE, {
      history: [
        { kind: 'claim', amount: 14, at: LATER },
        { kind: 'resale', amount: 90_000, at: LATER },
        { kind: 'withdrawal', amount: -700, at: LATER },
        { kind: 'deposit', amount: 100, at: BEFORE },
      ],
      withdrawals: [
        { state: 'sent', amount: 700, settledAt: null },
        { state: 'finalized', amount: 300, settledAt: BEFORE },
      ],
      listings: [
        { status: 'active', countryName: 'Iceland', sellerReceives: 90_000, purchaseDate: null },
        { status: 'sold', countryName: 'Chile', sellerReceives: 90_000, purchaseDate: BEFORE },
      ],
    }),
  ).toEqual([])
})
