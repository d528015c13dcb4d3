import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { HistoryList } from './history-list.tsx'

vi.mock('./use-uncredited.ts', () => ({
  useUncredited: () => ({ data: [{ signature: 'a deposit', why: 'The chain is slow.' }] }),
}))
vi.mock('./use-history.ts', async (load) => ({
  ...(await load<object>()),
  useHistory: () => ({
    data: {
      pages: [
        {
          items: [],
          pending: [{ signature: 'a deposit', amount: cotton(5), at: '2026-11-20T09:12:00.000Z' }],
          next: null,
        },
      ],
    },
    isPending: false,
    isError: false,
    hasNextPage: false,
  }),
}))

test('the reason of a pending deposit, which disappears again, is alone in an element', () => {
  expect(renderToStaticMarkup(<HistoryList />)).toContain('<span> · The chain is slow.</span>')
})
