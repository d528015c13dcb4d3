import { expect, test } from 'vitest'
import { baseUnits, cotton } from '#game/cotton.ts'
import { offerOf } from './offer.ts'

const kid = { price: cotton(50_000), available: 3 }

test('a field without pickers offers one to a player who can pay it', () => {
  expect(offerOf(kid, cotton(50_000))).toEqual({ kind: 'hire', price: cotton(50_000) })
  expect(offerOf({ price: kid.price }, undefined)).toEqual({ kind: 'hire', price: cotton(50_000) })
})

test('a picker that is too dear shows what is missing in whole $COTTON, enough to pay it', () => {
  expect(offerOf(kid, baseUnits(49_999_999_999n))).toEqual({ kind: 'too-dear', missing: cotton(1) })
})

test('a picker that is sold out is never offered, with any balance', () => {
  expect(offerOf({ ...kid, available: 0 }, cotton(90_000))).toEqual({ kind: 'sold-out' })
  expect(offerOf({ ...kid, available: 0 }, undefined)).toEqual({ kind: 'sold-out' })
})
