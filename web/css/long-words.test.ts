import { expect, test } from 'vitest'
import { readRule } from '#tests/support/read-sheet.ts'

/** What may contain a text of the operator, such as a reason with a transaction. */
const RULES = [
  ['ui/note.module.css', '.note'],
  ['ui/outcome.module.css', '.outcome'],
  ['ui/dialog.module.css', '.title'],
  ['pages/terms/terms.module.css', '.text'],
] as const

test.each(RULES)('in %s the text of %s breaks before it leaves its box', (sheet, selector) => {
  expect(readRule(sheet, selector)).toContain('overflow-wrap: anywhere;')
})
