import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('every page file is in the page table, and the table names no other file', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  const pageFiles = files.filter((file) => /^pages\/.*-page\.tsx$/.test(file))
  expect(pageFiles.length).toBeGreaterThan(5)
  const table = readFileSync(join(import.meta.dirname, 'pages.ts'), 'utf8')
  const modules = new Set([...table.matchAll(/import\('#web\/(.+?)'\)/g)].map(([, module]) => module!))
  expect([...modules].toSorted()).toEqual(pageFiles.toSorted())
})
