import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const base = readFileSync(join(import.meta.dirname, 'base.css'), 'utf8')

test('the page is never a scroll container inside of the window, where menu and top bar would not stick', () => {
  const body = /\n {2}body \{[^}]*\}/.exec(base)?.[0]
  expect(body).toContain('overflow-x: clip;')
  expect(body).not.toMatch(/overflow(-[xy])?: (hidden|auto|scroll)/)
})
