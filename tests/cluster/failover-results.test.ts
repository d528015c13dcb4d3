import { expect, test } from 'vitest'
import { Results, type RoundResult } from './failover-results.ts'

const ROUND: RoundResult = {
  floorMs: null,
  gapMs: 100,
  isAnswered: true,
  acknowledged: 0,
  busy: 0,
  inDoubt: 0,
  unknown: 0,
  faults: [],
  audit: [],
}

test('a round after which no action is acknowledged is a fault', () => {
  const results = new Results()
  results.add('kill', ROUND)
  expect(results.faults).toBe(0)
  expect(results.add('kill', { ...ROUND, isAnswered: false })).toContain(
    'No action was acknowledged after the failure.',
  )
  expect(results.faults).toBe(1)
})
