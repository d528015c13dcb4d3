import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Cell, encodeRecords } from './csv-download.ts'

/** Reads one file as RFC 4180 has it. */
function parse(text: string): string[][] {
  const records: string[][] = [[]]
  for (const [whole, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (whole === '' && end === '') break
    records.at(-1)!.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'))
    if (end === '\r\n') records.push([])
  }
  return records.slice(0, -1)
}

const FORMULA = /^[=+\-@\t\r＝＋－＠]/

test.each([
  ['=HYPERLINK("http://evil.test")', `"'=HYPERLINK(""http://evil.test"")"`],
  ['+1', `'+1`],
  ['-1+1', `'-1+1`],
  ['@SUM(A1)', `'@SUM(A1)`],
  ['\t=1', `'\t=1`],
  ['\r=1', `"'\r=1"`],
  ['＝1', `'＝1`],
  ['a,b', '"a,b"'],
  ['plain', 'plain'],
])('the text %j is written as %j', (text, written) => {
  expect(encodeRecords([[text]])).toBe(`${written}\r\n`)
})

test('numbers keep their sign', () => {
  expect(encodeRecords([[{ number: '-1.5' }, null, { number: '3' }]])).toBe('-1.5,,3\r\n')
})

test('whatever texts a record has, it is read back, and no cell begins a formula', () => {
  const cell = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('=1', '-"', '+,', '@\r\n', '\t"', ''))
  fc.assert(
    fc.property(fc.array(cell, { minLength: 2, maxLength: 6 }), (cells: Cell[]) => {
      const [read] = parse(encodeRecords([cells]))
      expect(read).toHaveLength(cells.length)
      for (const [at, text] of read!.entries()) {
        expect(text).not.toMatch(FORMULA)
        expect([cells[at], `'${String(cells[at])}`]).toContain(text)
      }
    }),
    { numRuns: 2_000 },
  )
})
