import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { createSampleLand } from '#web/api/create-sample-land.ts'
import type { LandParcel } from '#web/api/use-owned-land.ts'
import { arrangeLand, type Order, type Shown } from './arrange-land.ts'

const named = (name: string) => createSampleLand('EU').find((parcel) => parcel.countryName === name)!
const LAND = ['Malta', 'Poland', 'France', 'Austria'].map(named)
const STATES = { 'EU-MT': 'available', 'EU-PL': 'mine', 'EU-FR': 'owned', 'EU-AT': 'owned' } as const
const PRICES: Record<string, number> = { 'EU-MT': 102_000, 'EU-FR': 90_000 }

const facts = {
  stateOf: ({ parcelId }: LandParcel) => STATES[parcelId as keyof typeof STATES],
  priceOf: ({ parcelId }: LandParcel) => (parcelId in PRICES ? cotton(PRICES[parcelId]!) : null),
}
const names = (shown: Shown, order: Order, text = '') =>
  arrangeLand(LAND, { shown, order, text }, facts).map((parcel) => parcel.countryName)

test('free land is sold by the game, and land for sale by a player', () => {
  expect(names('all', 'name')).toEqual(['Austria', 'France', 'Malta', 'Poland'])
  expect(names('free', 'name')).toEqual(['Malta'])
  expect(names('yours', 'name')).toEqual(['Poland'])
  expect(names('sale', 'name')).toEqual(['France'])
  expect(names('all', 'name', 'mal')).toEqual(['Malta'])
})

test('land is ordered by tier and then name, or by price with land that is not for sale last', () => {
  expect(names('all', 'tier')).toEqual(['France', 'Poland', 'Austria', 'Malta'])
  expect(names('all', 'price')).toEqual(['France', 'Malta', 'Austria', 'Poland'])
})
