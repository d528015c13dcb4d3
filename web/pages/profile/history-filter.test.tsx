import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { HistoryFilterBar } from './history-filter.tsx'
import { NO_FILTER } from './use-history.ts'

const HINT = 'Days are in UTC, and times in your own time zone.'

const render = (days: { from?: string; to?: string }): string =>
  renderToStaticMarkup(<HistoryFilterBar filter={{ ...NO_FILTER, ...days }} onChange={() => undefined} />)

test('a player who filters by days reads that they are in UTC, unlike the times of the list', () => {
  expect(render({ from: '2026-01-31' })).toContain(HINT)
  expect(render({ to: '2026-01-31' })).toContain(HINT)
  expect(render({})).not.toContain(HINT)
})

test('neither day limits the other, so both apply in whatever order they are changed', () => {
  const limits = render({ from: '2026-01-31', to: '2026-02-28' }).match(/(min|max)="[^"]*"/g)
  expect(limits).toEqual(['min="2020-01-01"', 'min="2020-01-01"'])
})
