import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { type MoreProps, TableFoot } from './data-table.tsx'

const REST = { loading: false, failed: false, onMore: () => undefined }

const render = (foot: Pick<MoreProps, 'hasMore' | 'shown'> & Partial<MoreProps>): string =>
  renderToStaticMarkup(<TableFoot {...REST} {...foot} />)

test('a search that has found nothing yet can go on, and one that has reached the end cannot', () => {
  expect(render({ shown: 0, hasMore: true })).toMatch(/None found yet.*<button.*Show more/)
  expect(render({ shown: 0, hasMore: false })).toBe('')
  expect(render({ shown: 2, hasMore: true })).toMatch(/The first 2 are shown.*<button.*Show more/)
  expect(render({ shown: 2, hasMore: false })).not.toContain('<button')
})

test('a next page that could not be read is reported beside its button', () => {
  const report = 'role="alert">The next page could not be read.'
  expect(render({ shown: 2, hasMore: true, failed: true })).toContain(report)
  expect(render({ shown: 2, hasMore: true })).not.toContain('role="alert"')
})
