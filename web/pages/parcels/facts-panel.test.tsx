import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { Land } from '#web/land/use-land.ts'

Object.assign(window, { location: new URL('http://farm.test') })
const { FactsPanel } = await import('./facts-panel.tsx')

test('the previous price is alone in an element, so that a translated page shows the new one', () => {
  const land: Land = {
    parcels: [],
    owned: 0,
    total: 3,
    price: cotton(102_000),
    path: 'api',
    isSample: false,
    retry: () => undefined,
  }
  const panel = renderToStaticMarkup(<FactsPanel land={land} region="Europe" stateOf={() => 'available'} />)
  expect(panel).toContain('<span>100,000</span><small')
})
