import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { type JournalFilter, useJournalFilter } from './use-journal-filter.ts'

/** What applies of a filter in the address of the page. */
function validOf(query: string): JournalFilter['valid'] {
  const found: JournalFilter['valid'][] = []
  const Page = () => {
    found.push(useJournalFilter().valid)
    return null
  }
  renderToStaticMarkup(
    <MemoryRouter initialEntries={[`/ledger?${query}`]}>
      <Page />
    </MemoryRouter>,
  )
  return found[0]!
}

test('a year that is still being typed filters nothing, because the console would refuse it', () => {
  for (const from of ['0002-11-05', '0020-11-05', '0202-11-05', '12026-11-05', '2026-11'])
    expect(validOf(`from=${from}&to=2026-11-05`)).toEqual({ to: '2026-11-05' })
  expect(validOf('from=2020-01-01&to=2199-12-31')).toEqual({ from: '2020-01-01', to: '2199-12-31' })
})
