import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readSheet, WEB } from '#tests/support/read-sheet.ts'

const declarations = globSync('**/*.css', { cwd: WEB }).flatMap((sheet) =>
  [...readSheet(sheet).matchAll(/([\w-]+): ([^;{}]+);/g)].map(([, name, value]) => ({
    sheet,
    name: name!,
    value: value!,
  })),
)

test('beside a camera, page and menu begin where the rail of a phone held sideways ends', () => {
  const rail = /width: (calc\(76px [^;]+);/.exec(readSheet('shell/tab-bar.module.css'))?.[1]
  expect(rail).toBe('calc(76px + env(safe-area-inset-left))')
  expect(readSheet('shell/shell.module.css')).toContain(`padding-left: ${rail};`)
  for (const sheet of ['shell/top-bar', 'shell/side-menu', 'pages/hero/hero'])
    expect(readSheet(`${sheet}.module.css`)).toMatch(/padding(-left)?: [^;]*env\(safe-area-inset-left\)/)
})

test('beside a camera, a card at the right ends where the page ends', () => {
  for (const sheet of ['absence-summary', 'login-notice'])
    expect(readSheet(`shell/${sheet}.module.css`), sheet).toMatch(
      / right: calc\([^;]+ \+ env\(safe-area-inset-right\)\);/,
    )
  for (const sheet of ['goals/celebration', 'ui/toasts'])
    expect(readSheet(`${sheet}.module.css`)).toMatch(
      /\[data-place='end'\] \{[^{}]*env\(safe-area-inset-right\)/,
    )
  // A phone held sideways may be narrower than 769 px.
  expect(readSheet('shell/login-notice.module.css')).not.toMatch(/ right: var/)
})

test('what stands above the bottom bar stands above the home indicator of a phone, and counts it once', () => {
  const bars = declarations.filter(({ name }) => name === '--bottom-bar')
  expect(bars.length).toBeGreaterThan(2)
  expect(bars.filter(({ value }) => !value.includes('env(safe-area-inset-bottom)'))).toEqual([])
  const elsewhere = declarations.filter(
    ({ name, value }) => name !== '--bottom-bar' && value.includes('safe-area-inset-bottom'),
  )
  expect(elsewhere).toEqual([])
  for (const sheet of ['login-notice', 'hero-player', 'offline-note'])
    expect(readSheet(`shell/${sheet}.module.css`)).toMatch(/ bottom: calc\(var\(--bottom-bar\) \+ \d+px\);/)
})
