import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const WEB = join(import.meta.dirname, '..')

/** What may contain a text of the operator, such as a reason with a transaction. */
const RULES = [
  ['ui/note.module.css', '.note'],
  ['ui/outcome.module.css', '.outcome'],
  ['ui/dialog.module.css', '.title'],
  ['pages/terms/terms.module.css', '.text'],
] as const

test.each(RULES)('in %s the text of %s breaks before it leaves its box', (sheet, selector) => {
  const css = readFileSync(join(WEB, sheet), 'utf8')
  const [, rule] = css.split(`\n  ${selector} {`)
  expect(rule?.split('}')[0]).toContain('overflow-wrap: anywhere;')
})
