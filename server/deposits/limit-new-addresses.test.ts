import { expect, test } from 'vitest'
import { testClock } from '#tests/support/test-world.ts'
import { limitNewAddresses } from './limit-new-addresses.ts'

test('a caller gets three hundred new addresses in ten minutes, and leaves others theirs', () => {
  const clock = testClock('2026-01-05T12:00:00.000Z')
  const count = limitNewAddresses(clock)
  for (let taken = 0; taken < 300; taken++) count('203.0.113.7')
  clock.advance(100_000)
  const refused = { refusal: { code: 'too_many_requests', facts: { seconds: 500 } } }
  expect(() => count('203.0.113.7')).toThrow(expect.objectContaining(refused))
  expect(() => count('203.0.113.8')).not.toThrow()
  clock.advance(500_000)
  expect(() => count('203.0.113.7')).not.toThrow()
})

test('a clock that is set back by an hour does not extend the time', () => {
  const clock = testClock('2026-01-05T12:00:00.000Z')
  const count = limitNewAddresses(clock)
  for (let taken = 0; taken < 300; taken++) count('203.0.113.7')
  clock.advance(-3_600_000)
  expect(() => count('203.0.113.7')).not.toThrow()
})

test('an address that is not assigned after all leaves the others counted, and adds none to the next ten minutes', () => {
  const clock = testClock('2026-01-05T12:00:00.000Z')
  const count = limitNewAddresses(clock)
  for (let taken = 0; taken < 299; taken++) count('203.0.113.7')
  count('203.0.113.7')()
  const uncount = count('203.0.113.7')
  expect(() => count('203.0.113.7')).toThrow('too_many_requests')
  clock.advance(600_000)
  count('203.0.113.8')
  uncount()
  for (let taken = 0; taken < 300; taken++) count('203.0.113.7')
  expect(() => count('203.0.113.7')).toThrow('too_many_requests')
})
