import { expect, test } from 'vitest'
import { WALLET_APPS } from './wallet-apps.ts'

const { href, origin } = new URL('https://farm.example/parcels/EU?regionName=Europe&x=1#map')
const PAGE = 'https%3A%2F%2Ffarm.example%2Fparcels%2FEU%3FregionName%3DEurope%26x%3D1%23map'

test.each([
  ['Phantom', 'https://phantom.app/ul/browse/'],
  ['Solflare', 'https://solflare.com/ul/v1/browse/'],
  ['Backpack', 'https://backpack.app/ul/v1/browse/'],
])('the link into %s contains page and site, both encoded', (name, base) => {
  const app = WALLET_APPS.find((each) => each.name === name)
  expect(app?.browseUrl({ href, origin })).toBe(`${base}${PAGE}?ref=https%3A%2F%2Ffarm.example`)
})
