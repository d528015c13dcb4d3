import { afterEach, expect, test, vi } from 'vitest'
import { readTypedAmount } from './read-typed-amount.ts'

const LAPTOP = 'Mozilla/5.0 (X11; Linux x86_64)'
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)'

const stubBrowser = (language: string, userAgent = LAPTOP) =>
  vi.stubGlobal('navigator', { language, userAgent })

/** What an input with this text, and its caret at `|`, contains after the event that has inserted `data`. */
function change(text: string, data: string | null): string {
  let caret = text.indexOf('|')
  const target = {
    value: text.replace('|', ''),
    selectionStart: caret,
    setSelectionRange(start: number | null) {
      caret = start ?? 0
    },
  }
  const read = readTypedAmount({ target, nativeEvent: { data } })
  expect(target.value).toBe(read)
  return `${read.slice(0, caret)}|${read.slice(caret)}`
}

afterEach(() => {
  vi.unstubAllGlobals()
})

test.each(['de-DE', 'fr', 'pt-BR', 'en-DE'])(
  'a comma that is typed becomes a point where numbers have a decimal comma: %s',
  (language) => {
    stubBrowser(language)
    expect(change('12,|', ',')).toBe('12.|')
    expect(change('12,|5', ',')).toBe('12.|5')
  },
)

test.each(['en-US', 'en-GB', 'de-CH', 'ja', ''])('a typed comma stays elsewhere: %j', (language) => {
  stubBrowser(language)
  expect(change('1,|', ',')).toBe('1,|')
})

test('on an iPhone it becomes a point in every language, because its keypad has the separator of its region', () => {
  stubBrowser('en-US', IPHONE)
  expect(change('1,|', ',')).toBe('1.|')
})

test('a pasted text, a deletion and other keys change no comma', () => {
  stubBrowser('de-DE')
  expect(change('1,000|', '1,000')).toBe('1,000|')
  expect(change('1,000|', null)).toBe('1,000|')
  expect(change('1,|', null)).toBe('1,|')
  expect(change('1,5|', '5')).toBe('1,5|')
})
