import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { LandParcel } from '#web/api/use-owned-land.ts'
import { LAND_OFFER_IDS, LandFacts } from './land-facts.tsx'

const FRANCE: Partial<LandParcel> = {
  parcelId: 'EU-FR',
  regionName: 'Europe',
  countryName: 'France',
  area: 543_940,
  tier: 1,
}

test('what describes the details of land is its name and its price', () => {
  const facts = renderToStaticMarkup(
    <LandFacts parcel={FRANCE as LandParcel} state="available" price={cotton(104_040)} resalePrice={null} />,
  )
  const [name, price] = LAND_OFFER_IDS.map((id) => facts.split(`id="${id}"`)[1])
  expect(name).toMatch(/^>.*France.*<\/dl><div/)
  expect(price).toMatch(/^><dl>.*104,040/)
})
