import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { JournalFilters } from './journal-filters.tsx'
import type { JournalFilter } from './use-journal-filter.ts'

const NOTHING = { wallet: '', kind: '', from: '', to: '', least: '', most: '' }
const { dayInvalid, daysReversed } = pageMessages.ledger

function problemsOf(typed: Partial<JournalFilter['typed']>, valid: JournalFilter['valid']): string[] {
  const ignore = () => undefined
  const set = { wallet: ignore, kind: ignore, from: ignore, to: ignore, least: ignore, most: ignore }
  const html = renderToStaticMarkup(
    <JournalFilters filter={{ typed: { ...NOTHING, ...typed }, set, valid }} />,
  )
  return [dayInvalid, daysReversed].filter((sentence) => html.includes(sentence))
}

test('a day that filters nothing says so, and so do days of which the last is before the first', () => {
  expect(problemsOf({}, {})).toEqual([])
  expect(problemsOf({ to: '2019-12-31' }, {})).toEqual([dayInvalid])
  const days = { from: '2026-11-05', to: '2026-11-05' }
  expect(problemsOf(days, days)).toEqual([])
  const reversed = { ...days, to: '2026-11-04' }
  expect(problemsOf(reversed, reversed)).toEqual([daysReversed])
})
