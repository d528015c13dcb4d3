import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readRule, readSheet, WEB } from '#tests/support/read-sheet.ts'

test('the page is never a scroll container inside of the window, where menu and top bar would not stick', () => {
  const body = readRule('css/base.css', 'body')
  expect(body).toContain('overflow-x: clip;')
  expect(body).not.toMatch(/overflow(-[xy])?: (hidden|auto|scroll)/)
})

test('what a finger moves beyond its end, such as the map on a phone, does not go back to the page before', () => {
  const sheets = globSync('**/*.css', { cwd: WEB }).filter((sheet) => !sheet.startsWith('console'))
  const rules = sheets.flatMap((sheet) => readSheet(sheet).match(/\{[^{}]* overflow-x: auto;[^{}]*\}/g) ?? [])
  expect(rules.length).toBeGreaterThan(1)
  expect(rules.filter((rule) => !rule.includes(' overscroll-behavior-x: contain;'))).toEqual([])
})

test('the page behind the menu of a small window, and behind that of the first page, does not scroll', () => {
  const menu = readSheet('shell/side-menu.module.css')
  const [anyWindow = '', small = ''] = menu.split('@media (max-width: 768px), (max-height: 480px) {')
  expect(anyWindow).toMatch(/:global\(html\):has\(\.scrimDrawer\) \{\s+overflow: hidden;/)
  expect(small).toMatch(/:global\(html\):has\(\.scrimOpen\) \{\s+overflow: hidden;/)
})

test('no note of the page covers its open menu', () => {
  const layerOf = (sheet: string, selector: string): number => {
    const css = readSheet(`shell/${sheet}.module.css`)
    return Number(/ z-index: (\d+);/.exec(css.split(` ${selector} {`)[1] ?? '')?.[1])
  }
  const scrim = layerOf('side-menu', '.scrimOpen')
  expect(scrim).toBeGreaterThan(0)
  for (const sheet of ['offline-note', 'announcement-card'])
    expect(layerOf(sheet, '.place'), sheet).toBeLessThan(scrim)
  for (const sheet of ['login-notice', 'absence-summary'])
    expect(layerOf(sheet, '.card'), sheet).toBeLessThan(scrim)
})

test('the fields of the farm have one height, whether a phone’s browser shows its bars or not', () => {
  const stages = readSheet('pages/my-farm/farm.module.css').match(/ --stage: clamp[^;]+;/g) ?? []
  expect(stages.length).toBeGreaterThan(2)
  expect(stages.filter((stage) => !stage.includes('100svh'))).toEqual([])
})

test('Safari on a phone does not zoom the page for a choice or a date', () => {
  const [, ios = ''] = readSheet('css/base.css').split('@supports (-webkit-touch-callout: none) {')
  expect(ios).toMatch(/^\s+:is\(select, \[type='date'\]\) \{\s+font-size: 1rem !important;/)
})

test('Safari on a phone does not zoom the console for a field', () => {
  const fields = readSheet('console/ui/field.module.css')
  const [, ios = ''] = fields.split('@supports (-webkit-touch-callout: none) {')
  expect(ios).toMatch(/^\s+\.input \{\s+font-size: 1rem;/)
})

test('what gets the focus in a narrow window of the console is not below the two rows of its top bar', () => {
  const [, narrow = ''] = readSheet('console/console.css').split('@media (max-width: 900px) {')
  // Two rows of buttons, the gap between them, a padding and a line.
  expect(Number(/ scroll-padding-top: (\d+)px;/.exec(narrow)?.[1])).toBeGreaterThan(2 * 44 + 4 + 2 * 4 + 1)
  const [, low = ''] = readSheet('console/shell/top-bar.module.css').split('@media (max-height: 480px) {')
  expect(low).toMatch(/^\s+\.bar \{\s+position: static;/)
})
