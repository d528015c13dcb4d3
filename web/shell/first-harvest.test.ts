import '#web/api/browser-stub.ts'
import { afterEach, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { awaitFirstHarvest, celebrate, claimingWallet, firstHarvest } from './first-harvest.ts'

afterEach(() => localStorage.clear())

test('the first harvest of a wallet is not celebrated with the amount of another one', () => {
  awaitFirstHarvest('ana')
  celebrate(cotton(5))
  awaitFirstHarvest('ana')
  expect(firstHarvest.get()).toBe(cotton(5))
  awaitFirstHarvest('ben')
  expect([claimingWallet.get(), firstHarvest.get()]).toEqual(['ben', null])
  celebrate(cotton(7))
  expect(firstHarvest.get()).toBe(cotton(7))
})
