import { expect, test } from 'vitest'
import { WITHDRAWAL_REASONS } from '#contract/withdrawal-reasons.ts'
import { REASON_FOR_OPERATORS } from './reasons-for-operators.ts'

test('every reason has a text for the player and one for the operator', () => {
  expect(Object.keys(REASON_FOR_OPERATORS).toSorted()).toEqual(Object.keys(WITHDRAWAL_REASONS).toSorted())
  for (const sentence of Object.values(WITHDRAWAL_REASONS)) expect(sentence).toMatch(/^[A-Z].{20,}\.$/)
})
