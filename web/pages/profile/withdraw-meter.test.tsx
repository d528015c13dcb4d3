import '#web/api/browser-stub.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { WithdrawMeter } from './withdraw-meter.tsx'

function renderStanding(standing: string): string {
  const client = new QueryClient()
  const reserve = { standing, tokens: cotton(5), owed: cotton(5) }
  client.setQueryData(['transparency'], { reserve, budget: { left: cotton(7) } })
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <WithdrawMeter />
      </MemoryRouter>
    </QueryClientProvider>,
  )
}

test('the reserve of a standing that only a newer server knows is not known', () => {
  expect(renderStanding('covered')).toContain('Reserve 100%')
  const newer = renderStanding('disputed')
  expect(newer).toContain('Reserve not known right now')
  expect(newer).not.toContain('100%')
})
