import { expect, test } from 'vitest'
import { readSheet } from '#tests/support/read-sheet.ts'

test('with forced colours a button that ignores presses is grey, except during the cooldown of its action', () => {
  const [, forced = ''] = readSheet('ui/button.module.css').split('@media (forced-colors: active) {')
  const rule = /\.button\[aria-disabled='true'\]:not\(\.resting\) \{([^}]*)\}/.exec(forced)?.[1]
  expect(rule).toMatch(/ color: GrayText;/)
  expect(rule).toMatch(/ border-color: GrayText;/)
})
