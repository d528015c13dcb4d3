import { expect, test } from 'vitest'
import { readSheet } from '#tests/support/read-sheet.ts'

/** The declarations of this selector in windows as narrow as the smallest phones. */
function readNarrowRule(sheet: string, selector: string): string {
  const [, narrow = ''] = readSheet(sheet).split('@media (max-width: 380px) {')
  return narrow.split(`    ${selector} {`)[1]?.split('}')[0] ?? ''
}

/** Tables with amounts in two columns, and what has their size. */
const TABLES = [
  ['pages/transparency/transparency.module.css', '.table td'],
  ['pages/profile/security.module.css', '.table'],
] as const

test.each(TABLES)(
  'in %s long amounts get smaller before they leave the window of a small phone',
  (sheet, amounts) => {
    expect(readNarrowRule(sheet, amounts)).toMatch(/ font-size: max\(var\(--fs-xs\), 4vw\);/)
  },
)

test.each(TABLES)('in %s a name breaks before it moves the amounts out of the window', (sheet) => {
  expect(readNarrowRule(sheet, '.table tbody th')).toContain(' overflow-wrap: anywhere;')
})
