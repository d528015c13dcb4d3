import '#web/api/browser-stub.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { marketMessages } from '#web/messages/en-market.ts'
import { LISTING } from './listing-stub.ts'

Object.assign(window, { location: new URL('http://farm.test') })
const { ConfirmPurchase } = await import('./confirm-purchase.tsx')

test('why a listing cannot be bought is alone in an element, so that a translated page shows the present reason', () => {
  const dialog = renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <ConfirmPurchase listing={LISTING} shape={null} gone onClose={() => undefined} />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  expect(dialog).toContain(`<span>${marketMessages.unavailable}</span>`)
})
