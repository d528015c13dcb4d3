import { expect, test } from 'vitest'
import { readRule } from '#tests/support/read-sheet.ts'

/**
 * Controls with a shadow of their own on wood, where blue has a contrast of 1.1 to 1.7, or on the landscape, where it has
 * as little at night. A shadow of a later layer replaces the white ring of `base.css`.
 */
const CONTROLS = [
  ['shell/top-bar.module.css', '.pill'],
  ['shell/side-menu.module.css', '.item'],
  ['shell/tab-bar.module.css', '.tab'],
  ['ui/button.module.css', '.button'],
  ['ui/choice-group.module.css', '.choice'],
  ['land/lot.module.css', '.lot'],
  ['pages/parcels/parcels.module.css', '.chip'],
  ['pages/parcels/land-choices.module.css', '.choices :is(input, select)'],
  ['pages/world/world.module.css', '.card'],
] as const

test.each(CONTROLS)('in %s the focus ring of %s is white and blue', (sheet, selector) => {
  expect(readRule(sheet, `${selector}:focus-visible`)).toMatch(/var\(--focus(-gap)?\)/)
})
