import { expect, test } from 'vitest'
import { readSheet } from '#tests/support/read-sheet.ts'

test('with forced colours a button that ignores presses is grey, except during the cooldown of its action', () => {
  const [, forced = ''] = readSheet('ui/button.module.css').split('@media (forced-colors: active) {')
  const rule = /\.button\[aria-disabled='true'\]:not\(\.resting\) \{([^}]*)\}/.exec(forced)?.[1]
  expect(rule).toMatch(/ color: GrayText;/)
  expect(rule).toMatch(/ border-color: GrayText;/)
})

/** The background of this selector with forced colours, which drop every gradient. */
const forcedGround = (sheet: string, selector: string): string | undefined => {
  const [, forced = ''] = readSheet(sheet).split('@media (forced-colors: active) {')
  const rule = [...forced.matchAll(/([^{}]+)\{([^{}]*)\}/g)].find(([, selectors = '']) =>
    selectors.split(',').some((each) => each.trim() === selector),
  )
  return / background: ([^;]+);/.exec(rule?.[2] ?? '')?.[1]
}

/** What is above other text. The grain of the game's dialogs is an image, which stays. The console has no grain. */
const ABOVE_TEXT = [
  ['ui/dialog.module.css', '.panel'],
  ['ui/dialog.module.css', '.acts'],
  ['ui/outcome.module.css', '.outcome'],
] as const

test.each(ABOVE_TEXT)('in %s the page does not show through %s with forced colours', (sheet, selector) => {
  expect(forcedGround(sheet, selector)).toBe('Canvas')
})

test('with forced colours every text in what is chosen has the colour of the choice', () => {
  const [, forced = ''] = readSheet('css/base.css').split('@media (forced-colors: active) {')
  const rule = /\[aria-pressed='true'\] \*,\s+label:has\(input:checked\) \* \{([^}]*)\}/.exec(forced)?.[1]
  expect(rule).toContain(' color: inherit !important;')
})

test('with forced colours no label looks chosen because of an option of its select', () => {
  expect(readSheet('css/base.css')).not.toContain('label:has(:checked)')
})

test('with forced colours a QR code keeps its colours, because a camera reads dark modules on a light ground', () => {
  const [, forced = ''] = readSheet('ui/qr-code.module.css').split('@media (forced-colors: active) {')
  expect(forced).toMatch(/\.qr \{\s+forced-color-adjust: none;/)
})
