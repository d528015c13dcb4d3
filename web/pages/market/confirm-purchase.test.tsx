import '#web/api/browser-stub.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { cotton, ZERO } from '#game/cotton.ts'
import { marketMessages } from '#web/messages/en-market.ts'
import { LISTING } from './listing-stub.ts'

Object.assign(window, { location: new URL('http://farm.test') })
const { endSession, session, startSession, storeUser } = await import('#web/api/session.ts')
const { ConfirmPurchase } = await import('./confirm-purchase.tsx')

const ANA = 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi'

const render = ({ gone = false, client = new QueryClient() } = {}) =>
  renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <ConfirmPurchase
          listing={{ ...LISTING, displayPrice: cotton(100) }}
          shape={null}
          gone={gone}
          onClose={() => undefined}
        />
      </MemoryRouter>
    </QueryClientProvider>,
  )

afterEach(() => {
  endSession('logged-out')
  localStorage.clear()
})

test('why a listing cannot be bought is alone in an element, so that a translated page shows the present reason', () => {
  expect(render({ gone: true })).toContain(`<span>${marketMessages.unavailable}</span>`)
})

test('the balance of the last visit does not refuse a purchase, and the one that is read does', () => {
  startSession({ token: 'a token', walletAddress: ANA })
  storeUser({ walletAddress: ANA, creditBalance: ZERO })
  vi.spyOn(session, 'getPrerendered').mockImplementation(session.get)
  const refuses = (dialog: string) => dialog.includes('enough tokens for this purchase')
  expect(refuses(render())).toBe(false)
  const client = new QueryClient()
  client.setQueryData(['user', ANA], { walletAddress: ANA, creditBalance: ZERO })
  expect(refuses(render({ client }))).toBe(true)
})
