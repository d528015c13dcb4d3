import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readSheet, WEB } from '#tests/support/read-sheet.ts'

/** The classes in the selectors of a style sheet. */
function classesOf(sheet: string): ReadonlySet<string> {
  const css = readSheet(sheet)
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/:global\((?:[^()]|\([^()]*\))*\)/g, '')
  const selectors = [...css.matchAll(/([^{};]+)\{/g)].map(([, text]) => text!.trim())
  const own = selectors.filter((text) => !text.startsWith('@'))
  return new Set(own.flatMap((text) => [...text.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name]) => name!)))
}

type Use = { file: string; sheet: string; names: string[]; isOpen: boolean }

/** Which classes the components name. A use is open if one computes a name, like `styles[tone]`. */
const uses = globSync('**/*.{ts,tsx}', { cwd: WEB, exclude: ['**/*.test.*'] }).flatMap((file): Use[] => {
  const text = readFileSync(join(WEB, file), 'utf8')
  const code = text.replaceAll(/ from '[^']*'|import\('[^']*'\)/g, '')
  return [...text.matchAll(/^import (\w+) from '([^']+\.module\.css)'/gm)].map(([, name, from]) => ({
    file,
    sheet: from!.startsWith('#web/') ? from!.slice('#web/'.length) : join(dirname(file), from!),
    names: [...code.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))].map(([, used]) => used!),
    isOpen: new RegExp(`\\b${name}\\[`).test(code),
  }))
})

test('every class that a component names is in its style sheet', () => {
  expect(uses.length).toBeGreaterThan(100)
  const missing = uses.flatMap(({ file, sheet, names }) => {
    const classes = classesOf(sheet)
    return names.filter((name) => !classes.has(name)).map((name) => `${file}: ${name}`)
  })
  expect(missing).toEqual([])
})

test('every class of a style sheet is named by a component', () => {
  const unused = globSync('**/*.module.css', { cwd: WEB }).flatMap((sheet) => {
    const own = uses.filter((use) => use.sheet === sheet)
    if (own.some(({ isOpen }) => isOpen)) return []
    const named = new Set(own.flatMap(({ names }) => names))
    return [...classesOf(sheet)].filter((name) => !named.has(name)).map((name) => `${sheet}: ${name}`)
  })
  expect(unused).toEqual([])
})
