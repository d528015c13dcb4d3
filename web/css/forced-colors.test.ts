import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const button = readFileSync(join(import.meta.dirname, '..', 'ui/button.module.css'), 'utf8')

test('with forced colours a button that ignores presses is grey, except during the cooldown of its action', () => {
  const [, forced = ''] = button.split('@media (forced-colors: active) {')
  const rule = /\.button\[aria-disabled='true'\]:not\(\.resting\) \{([^}]*)\}/.exec(forced)?.[1]
  expect(rule).toMatch(/ color: GrayText;/)
  expect(rule).toMatch(/ border-color: GrayText;/)
})
