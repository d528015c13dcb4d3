import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dateLocaleFor } from './locale.ts'

const at = new Date('2026-11-20T21:12:00Z')
const written = (language: string) =>
  new Intl.DateTimeFormat(dateLocaleFor(language), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
    .format(at)
    .replaceAll(' ', ' ')

test('dates have the format of the player’s region and English words', () => {
  expect(written('en-US')).toBe('Nov 20, 2026, 9:12 PM')
  expect(written('en-GB')).toBe('20 Nov 2026, 21:12')
  expect(written('de-DE')).toBe('20 Nov 2026, 21:12')
  expect(written('de')).toBe(written('de-DE'))
})

test('an unknown region and a missing language have the day first', () => {
  for (const language of ['tlh', 'x', '', 'zz-ZZ']) expect(dateLocaleFor(language)).toBe('en-GB')
})

test('every date and number in the web app uses these locales', () => {
  const web = join(import.meta.dirname, '..')
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !path.includes('.test.') && !path.endsWith('messages/locale.ts'),
  )
  expect(files.length).toBeGreaterThan(100)
  const own = files.flatMap((path) => {
    const text = readFileSync(join(web, path), 'utf8')
    const calls = [...text.matchAll(/(?:toLocale(?:Date|Time)?String|new Intl\.\w+)\(([\w']*)/g)]
    return calls
      .filter(([, locale]) => !['NUMBER_LOCALE', 'dateLocale', 'locale'].includes(locale!))
      .map(([call]) => `${path}: ${call}`)
  })
  expect(own).toEqual([])
})
