import { beforeEach, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import {
  forgetArrived,
  recordCredited,
  recordSent,
  sentDeposits,
  sentFrom,
  showDeposit,
} from './deposit-state.ts'

const shown = (wallet = 'ana') => sentFrom(sentDeposits.get(), wallet).shown

beforeEach(() => {
  showDeposit('nobody', { step: 'idle' })
})

test('a deposit has arrived once everything that was sent is credited', () => {
  recordSent('ana', cotton(100), 0)
  recordSent('ana', cotton(50), 1)
  expect(shown()).toEqual({ step: 'waiting', amount: cotton(150) })
  recordCredited('ana', cotton(100))
  expect(shown()).toEqual({ step: 'waiting', amount: cotton(50) })
  recordCredited('ana', cotton(50))
  expect(shown()).toEqual({ step: 'arrived', amount: cotton(150) })
})

test('a credit without a waiting deposit shows nothing, and does not count for the next deposit', () => {
  showDeposit('ana', { step: 'idle' })
  recordCredited('ana', cotton(70))
  expect(shown()).toEqual({ step: 'idle' })
  recordSent('ana', cotton(5), 0)
  recordCredited('ana', cotton(5))
  expect(shown()).toEqual({ step: 'arrived', amount: cotton(5) })
  recordSent('ana', cotton(6), 1)
  recordCredited('ana', cotton(6))
  expect(shown()).toEqual({ step: 'arrived', amount: cotton(6) })
})

test('a credit while the next deposit is signed does not replace it', () => {
  recordSent('ana', cotton(5), 0)
  showDeposit('ana', { step: 'signing', amount: cotton(9) })
  recordCredited('ana', cotton(5))
  expect(shown()).toEqual({ step: 'signing', amount: cotton(9) })
  recordSent('ana', cotton(9), 1)
  expect(shown()).toEqual({ step: 'waiting', amount: cotton(9) })
})

test('a deposit from the first steps leaves the deposit form free once it is credited', () => {
  recordSent('ana', cotton(5), 0, { fromGuide: true })
  expect(shown()).toEqual({ step: 'waiting', amount: cotton(5) })
  recordCredited('ana', cotton(5))
  expect(shown()).toEqual({ step: 'idle' })
  recordSent('ana', cotton(6), 1)
  recordCredited('ana', cotton(6))
  expect(shown()).toEqual({ step: 'arrived', amount: cotton(6) })
})

test('another player does not see the deposit', () => {
  recordSent('ana', cotton(5), 0)
  expect(shown('bo')).toEqual({ step: 'idle' })
  recordCredited('bo', cotton(5))
  expect(shown()).toEqual({ step: 'waiting', amount: cotton(5) })
})

test('only a deposit that has arrived is put away when the player leaves it', () => {
  recordSent('ana', cotton(5), 0)
  forgetArrived('ana')
  expect(shown()).toEqual({ step: 'waiting', amount: cotton(5) })
  recordCredited('ana', cotton(5))
  forgetArrived('bo')
  expect(shown()).toEqual({ step: 'arrived', amount: cotton(5) })
  forgetArrived('ana')
  expect(shown()).toEqual({ step: 'idle' })
})
