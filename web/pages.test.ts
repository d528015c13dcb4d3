import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type PageName, pages } from './pages.ts'

test('every page file is in the page table, and the table names no other file', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  const pageFiles = files.filter((file) => /^pages\/.*-page\.tsx$/.test(file))
  expect(pageFiles.length).toBeGreaterThan(5)
  const table = readFileSync(join(import.meta.dirname, 'pages.ts'), 'utf8')
  const modules = new Set([...table.matchAll(/import\('#web\/(.+?)'\)/g)].map(([, module]) => module!))
  expect([...modules].toSorted()).toEqual(pageFiles.toSorted())
})

/** Pages without a link of their own, and why. */
const UNLINKED: Partial<Record<PageName, string>> = {
  continent: 'linked by `continentPath`',
  notFound: 'no address leads there',
}

test('every page is linked from the app', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  const texts = sources.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('\n')
  const unlinked = Object.keys(pages).filter((name) => !new RegExp(`\\bpaths\\.${name}\\b`).test(texts))
  expect(unlinked.toSorted(), 'add a link, or a reason to UNLINKED').toEqual(Object.keys(UNLINKED).toSorted())
})
