import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const WEB = resolve(import.meta.dirname, '..')

const readAll = (pattern: string) =>
  globSync(pattern, { cwd: WEB, exclude: ['**/*.test.*'] }).map((file) =>
    readFileSync(join(WEB, file), 'utf8'),
  )

/** The custom properties that a style sheet or a component sets, like `--s1: 4px` or `'--v': …`. */
const definedIn = (text: string) =>
  [...text.matchAll(/(?<![\w(-])'?(--[a-zA-Z][\w-]*)'?:/g)].map(([, name]) => name!)

/** Those that are read without a fallback, and those with one. */
const usedIn = (text: string) =>
  [...text.matchAll(/var\(\s*(--[\w-]+)\s*([,)])/g)].map(([, name, end]) => ({
    name: name!,
    isOptional: end === ',',
  }))

const sheets = readAll('**/*.css')
const sources = [...sheets, ...readAll('**/*.{ts,tsx,svg}')]
const used = sources.flatMap(usedIn)

test('every custom property is used', () => {
  const names = new Set(used.map(({ name }) => name))
  const defined = new Set(sheets.flatMap(definedIn))
  expect(defined.size).toBeGreaterThan(250)
  expect([...defined].filter((name) => !names.has(name))).toEqual([])
})

test('every custom property that is used without a fallback is defined', () => {
  const defined = new Set(sources.flatMap(definedIn))
  const required = used.filter(({ isOptional }) => !isOptional).map(({ name }) => name)
  expect([...new Set(required)].filter((name) => !defined.has(name))).toEqual([])
})

test('the home page uses no token of the other pages', () => {
  const ofPages = new Set(definedIn(readFileSync(join(WEB, 'shell/page-tokens.css'), 'utf8')))
  const files = reachable(['boot/main.ts', 'boot/start.tsx', 'pages/hero/hero-page.tsx'])
  const homeSheets = files.filter((file) => file.endsWith('.css'))
  expect(homeSheets.length).toBeGreaterThan(10)
  const wrong = homeSheets.flatMap((file) =>
    usedIn(readFileSync(file, 'utf8'))
      .filter(({ name }) => ofPages.has(name))
      .map(({ name }) => `${file.slice(WEB.length + 1)}: ${name}`),
  )
  expect(wrong).toEqual([])
})

/** The files that these import, directly or through others. What is imported lazily is not among them. */
function reachable(entries: readonly string[]): string[] {
  const found = new Set<string>()
  const visit = (file: string) => {
    if (found.has(file) || !existsSync(file)) return
    found.add(file)
    if (!/\.tsx?$/.test(file)) return
    for (const [, name] of readFileSync(file, 'utf8').matchAll(/^(?:import|export|\}).*'([#.][^']+)'$/gm)) {
      visit(name!.startsWith('#web/') ? join(WEB, name!.slice(5)) : resolve(dirname(file), name!))
    }
  }
  for (const entry of entries) visit(join(WEB, entry))
  return [...found]
}
