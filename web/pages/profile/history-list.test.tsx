import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { statementMessages } from '#web/messages/en-statements.ts'
import { messages } from '#web/messages/en.ts'
import { HistoryList } from './history-list.tsx'
import { NO_FILTER } from './use-history.ts'

const page = vi.hoisted(() => ({ filter: undefined as object | undefined, isPending: false }))

// The filter of a page that is rendered once cannot be changed.
vi.mock('react', async (load) => {
  const react = await load<typeof import('react')>()
  const useState = (initial: unknown) =>
    initial === NO_FILTER && page.filter ? [page.filter, vi.fn()] : react.useState(initial)
  return { ...react, useState }
})
vi.mock('./use-uncredited.ts', () => ({
  useUncredited: () => ({ data: [{ signature: 'a deposit', why: 'The chain is slow.' }] }),
}))
vi.mock('./use-history.ts', async (load) => ({
  ...(await load<object>()),
  useHistory: () => ({
    data: page.isPending
      ? undefined
      : {
          pages: [
            {
              items: [],
              pending: [{ signature: 'a deposit', amount: cotton(5), at: '2026-11-20T09:12:00.000Z' }],
              next: null,
            },
          ],
        },
    isPending: page.isPending,
    isError: false,
    hasNextPage: false,
  }),
}))

afterEach(() => Object.assign(page, { filter: undefined, isPending: false }))

test('the reason of a pending deposit, which disappears again, is alone in an element', () => {
  expect(renderToStaticMarkup(<HistoryList />)).toContain('<span> · The chain is slow.</span>')
})

test('the filter stays while everything is read again after a filter was taken back', () => {
  page.isPending = true
  expect(renderToStaticMarkup(<HistoryList />)).not.toContain(statementMessages.filters)
  page.filter = { ...NO_FILTER }
  const list = renderToStaticMarkup(<HistoryList />)
  expect(list).toContain(statementMessages.filters)
  expect(list).toContain(messages.loading)
})
