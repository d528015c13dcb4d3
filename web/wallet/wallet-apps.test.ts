import { afterEach, expect, test, vi } from 'vitest'
import { isHandheld, WALLET_APPS } from './wallet-apps.ts'

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

afterEach(() => vi.unstubAllGlobals())

/** What browsers report of the pointer of a device. */
const DEVICES = [
  { device: 'a phone', hover: 'none', pointer: 'coarse', expected: true },
  { device: 'a Samsung phone that claims to hover', hover: 'hover', pointer: 'coarse', expected: true },
  { device: 'a Pixel phone that claims to be precise', hover: 'none', pointer: 'fine', expected: true },
  { device: 'a computer', hover: 'hover', pointer: 'fine', expected: false },
  { device: 'a computer without a mouse', hover: 'none', pointer: 'none', expected: false },
]

test.each(DEVICES)('$device has links into wallet apps: $expected', ({ hover, pointer, expected }) => {
  const features = [`(hover: ${hover})`, `(pointer: ${pointer})`]
  const matchMedia = (query: string) => ({
    matches: query.split(', ').some((part) => part.split(' and ').every((each) => features.includes(each))),
  })
  vi.stubGlobal('window', { matchMedia })
  expect(isHandheld()).toBe(expected)
})
