import '#web/api/browser-stub.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { SALES_KEY } from '#web/api/use-market-open.ts'

Object.assign(window, { location: new URL('http://farm.test') })
const { PriceHistory } = await import('./price-history.tsx')

/** The price history of a parcel that was sold once. */
function renderSaleBy(seller: string): string {
  const client = new QueryClient()
  const sale = { price: cotton(5), at: '2026-11-20T09:12:00.000Z', by: seller }
  client.setQueryData([...SALES_KEY, 'EU-MT'], [sale])
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <PriceHistory parcelId="EU-MT" name="Malta" />
    </QueryClientProvider>,
  )
}

test('a sale by a seller that only a newer server knows does not break the page', () => {
  expect(renderSaleBy('game')).toContain('Sold once: by the game for 5 $COTTON on ')
  expect(renderSaleBy('auction')).toContain('<td>5</td><td>auction</td>')
})
