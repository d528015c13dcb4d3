import { expect, test } from 'vitest'
import { baseUnits, cotton } from '#game/cotton.ts'
import { type PlayerLists, summarizeAbsence } from './summarize-absence.ts'

const SINCE = new Date('2026-11-20T12:00:00.000Z')
const BEFORE = '2026-11-20T12:00:00.000Z'
const AFTER = '2026-11-20T12:00:00.001Z'
const LATER = '2026-11-20T18:30:00.000Z'

type Item = PlayerLists['history'][number]

const item = (kind: Item['kind'], amount: Item['amount'], at: string): Item => ({
  kind,
  amount,
  at,
  detail: {},
})
const resale = (countryName: string, amount: Item['amount'], at: string): Item => ({
  ...item('resale', amount, at),
  detail: { countryName },
})

test('sales, deposits, payouts and corrections after the last visit are summed up by kind, with the names of sold land', () => {
  expect(
    summarizeAbsence(SINCE, {
      history: [
        item('adjustment', cotton(-5), LATER),
        item('deposit', baseUnits(100_500_000n), LATER),
        resale('Iceland', cotton(90_000), LATER),
        resale('Chile', cotton(45_000), AFTER),
        item('deposit', cotton(20), AFTER),
      ],
      withdrawals: [
        { state: 'finalized', amount: cotton(700), settledAt: LATER },
        { state: 'refunded', amount: cotton(30), settledAt: LATER },
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
        item('claim', cotton(14), LATER),
        resale('Iceland', cotton(-90_000), LATER),
        item('withdrawal', cotton(-700), LATER),
        item('deposit', cotton(100), BEFORE),
        resale('Chile', cotton(90_000), BEFORE),
      ],
      withdrawals: [
        { state: 'sent', amount: cotton(700), settledAt: null },
        { state: 'finalized', amount: cotton(300), settledAt: BEFORE },
      ],
    }),
  ).toEqual([])
})
