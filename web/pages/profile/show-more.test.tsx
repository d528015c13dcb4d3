import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { historyMessages } from '#web/messages/en-history.ts'
import { ShowMore } from './show-more.tsx'

const render = (state: { hasNextPage: boolean; isFetchNextPageError: boolean }): string =>
  renderToStaticMarkup(
    <ShowMore list={{ ...state, isFetchingNextPage: false, fetchNextPage: () => Promise.resolve() }} />,
  )

test('a next page that could not be read is reported below its button', () => {
  const failed = render({ hasNextPage: true, isFetchNextPageError: true })
  expect(failed).toMatch(new RegExp(`${historyMessages.more}.*role="alert".*${historyMessages.moreFailed}`))
  expect(render({ hasNextPage: true, isFetchNextPageError: false })).not.toContain('role="alert"')
  expect(render({ hasNextPage: false, isFetchNextPageError: false })).toBe('')
})
