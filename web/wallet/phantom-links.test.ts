import { expect, test } from 'vitest'
import { phantomBrowseUrl } from './phantom-links.ts'

test('the link into Phantom contains page and site, both encoded', () => {
  const { href, origin } = new URL('https://farm.example/parcels/EU?regionName=Europe&x=1#map')
  expect(phantomBrowseUrl({ href, origin })).toBe(
    'https://phantom.app/ul/browse/https%3A%2F%2Ffarm.example%2Fparcels%2FEU%3FregionName%3DEurope%26x%3D1%23map?ref=https%3A%2F%2Ffarm.example',
  )
})
