import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Moment } from './moment.tsx'

test('a date of an earlier year shows it, as on the page of a player who is no longer new', () => {
  const shown = (at: string): string => renderToStaticMarkup(<Moment at={at} />).replaceAll(/<[^>]*>/g, '')
  expect(shown('2024-06-05T12:00:00.000Z')).toContain('2024')
  expect(shown(new Date().toISOString())).not.toMatch(/\b20\d\d\b/)
})
