import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { Land } from '#web/land/use-land.ts'

Object.assign(window, { location: new URL('http://farm.test') })
const { FactsPanel } = await import('./facts-panel.tsx')

const LAND: Land = {
  parcels: [],
  owned: 0,
  total: 3,
  price: cotton(102_000),
  path: 'api',
  isSample: false,
  retry: () => undefined,
}

const render = (land: Land): string =>
  renderToStaticMarkup(<FactsPanel land={land} region="Europe" stateOf={() => 'available'} />)

test('the previous price is alone in an element, so that a translated page shows the new one', () => {
  expect(render(LAND)).toContain('<span>100,000</span><small')
})

test('a continent whose price is unknown shows 100,000 (S-59)', () => {
  const panel = render({ ...LAND, price: undefined })
  expect(panel).toContain('data-price="100000">100,000 <small>tokens</small>')
  expect(panel).toContain('<span>98,039</span>')
})

test('land is available until the last parcel is sold (S-33)', () => {
  const availableAt = (owned: number): string | undefined =>
    /<span>Available<\/span><\/dt><dd[^>]*><b[^>]*>(\w+)</.exec(render({ ...LAND, owned }))?.[1]
  expect([0, 2, 3].map(availableAt)).toEqual(['Yes', 'Yes', 'No'])
})
