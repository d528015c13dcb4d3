import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { readRule, readSheet } from '#tests/support/read-sheet.ts'
import type { UpdatePath } from '#web/realtime/land-changes.ts'
import { SoldBar } from './sold-bar.tsx'

const bar = (owned: number, path: UpdatePath): string =>
  renderToStaticMarkup(<SoldBar owned={owned} total={100} path={path} region="Europe" />)

const colour = (owned: number, path: UpdatePath): string | undefined =>
  /data-tone="(\w+)"/.exec(bar(owned, path))?.[1]

test('the bar turns orange and red at the thresholds of the spec for each source (S-100, A-15)', () => {
  const at = [70, 71, 75, 76, 90, 91]
  expect(at.map((percent) => colour(percent, 'api'))).toEqual([
    'green',
    'orange',
    'orange',
    'orange',
    'orange',
    'red',
  ])
  expect(at.map((percent) => colour(percent, 'socket'))).toEqual([
    'green',
    'green',
    'green',
    'orange',
    'orange',
    'red',
  ])
})

test('the green of the bar is #0AFF4B (S-100)', () => {
  expect(readRule('ui/bar.module.css', '.green')).toContain('--filling: var(--progress-ok);')
  expect(readSheet('shell/page-tokens.css')).toMatch(/ --progress-ok: linear-gradient\([^;]*#0aff4b/)
})

test('the label stands above 15 percent only; a screen reader always gets it (S-32)', () => {
  expect(bar(15, 'api')).not.toContain('>15% SOLD<')
  expect(bar(15, 'api')).toContain('aria-valuetext="15% SOLD"')
  expect(bar(16, 'api')).toContain('>16% SOLD<')
})
