import '#web/api/browser-stub.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { marketMessages } from '#web/messages/en-market.ts'
import { messages } from '#web/messages/en.ts'

vi.mock('#web/api/use-market-open.ts', async (original) => ({
  ...(await original<object>()),
  useOpenContinents: () => ['EU'],
}))

Object.assign(window, { location: new URL('http://farm.test') })
const { MY_LISTINGS_KEY } = await import('#web/api/use-market-open.ts')
const { OWNED_LAND_KEY } = await import('#web/api/use-owned-land.ts')
const { ListParcelDialog } = await import('./list-parcel-dialog.tsx')

/** The texts of the list of land. A page that is rendered without a browser has no wallet. */
function readChoices(client: QueryClient): (string | undefined)[] {
  const dialog = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <ListParcelDialog onClose={() => undefined} />
    </QueryClientProvider>,
  )
  return [...dialog.matchAll(/<option[^>]*>([^<]*)/g)].map(([, text]) => text)
}

test('a list of land that is not read yet says so, and is not that of a player without land', () => {
  const client = new QueryClient()
  expect(readChoices(client)).toEqual([messages.loading])
  client.setQueryData([...OWNED_LAND_KEY, null], [{ parcelId: 'EU-FR', countryName: 'France' }])
  client.setQueryData([...MY_LISTINGS_KEY, null], [])
  expect(readChoices(client)).toEqual([marketMessages.choosePrompt, 'France'])
})
