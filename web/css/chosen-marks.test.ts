import { expect, test } from 'vitest'
import { readRule } from '#tests/support/read-sheet.ts'

/** Choices of the console whose tint has a contrast of 1.1 to that of the others, and whose text has one of 2. */
const CHOSEN = [
  ['console/ui/span-choice.module.css', "[aria-pressed='true']", '.span'],
  ['console/shell/nav-bar.module.css', "[aria-current='page']", '.item'],
] as const

test.each(CHOSEN)(
  'in %s a bar marks what is %s, for whoever cannot tell its colour',
  (sheet, state, part) => {
    expect(readRule(sheet, `${part}${state}`)).toMatch(/ box-shadow: inset [^;]+ currentColor;/)
  },
)

/** Choices of the game whose yellow has a contrast of 1.1 to 1.4 to the paper of the others. */
const UNDERLINED = [
  ['ui/choice-group.module.css', ".choice[aria-pressed='true']"],
  ['shell/settings-sheet.module.css', '.choice:has(:checked)'],
  ['pages/parcels/parcels.module.css', '.chip[aria-current]'],
  ['pages/profile/deposit.module.css', '.chosen:hover:not(:disabled)'],
] as const

test.each(UNDERLINED)('in %s a line marks %s, for whoever cannot tell its colour', (sheet, selector) => {
  expect(readRule(sheet, selector)).toContain(' text-decoration-line: underline;')
})
