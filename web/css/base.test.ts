import { expect, test } from 'vitest'
import { readRule, readSheet } from '#tests/support/read-sheet.ts'

test('the page is never a scroll container inside of the window, where menu and top bar would not stick', () => {
  const body = readRule('css/base.css', 'body')
  expect(body).toContain('overflow-x: clip;')
  expect(body).not.toMatch(/overflow(-[xy])?: (hidden|auto|scroll)/)
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

test('Safari on a phone does not zoom the page for a choice or a date', () => {
  const [, ios = ''] = readSheet('css/base.css').split('@supports (-webkit-touch-callout: none) {')
  expect(ios).toMatch(/^\s+:is\(select, \[type='date'\]\) \{\s+font-size: 1rem !important;/)
})

test('Safari on a phone does not zoom the console for a field', () => {
  const fields = readSheet('console/ui/field.module.css')
  const [, ios = ''] = fields.split('@supports (-webkit-touch-callout: none) {')
  expect(ios).toMatch(/^\s+\.input \{\s+font-size: 1rem;/)
})
