import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  findCoverageErrors,
  readAllTests,
  readSpecRows,
  readTitledTests,
  writeCoverage,
} from '../scripts/list-spec-coverage.mjs'

const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8')

const rows = readSpecRows(read('docs/spec.md'))
const tests = readAllTests()

test('each row of the specification has a test, and titles name known rows only', () => {
  expect(rows.length).toBeGreaterThan(150)
  expect(tests.length).toBeGreaterThan(500)
  expect(findCoverageErrors(rows, tests)).toEqual([])
})

test('docs/spec-coverage.md is up to date; else run: npm run docs:coverage', () => {
  expect(read('docs/spec-coverage.md')).toBe(writeCoverage(rows, tests))
})

const SPEC = `
| S-01 | \`/\` opens \`Sold. Out\` early. It is free. |
| X-02 | A feed | Not built. |
| X-10 | A map | Partly: no zoom. |
`

test('a row that only variants test and a title with an unknown row are reported by name', () => {
  const example = { file: 'a.test.ts', title: 'opens (S-01, A-05)', ids: ['S-01', 'A-05'], isVariant: false }
  const missing = (row: string) => `${row}: no test of \`npm test\` has this row in its title`
  expect(findCoverageErrors(readSpecRows(SPEC), [example])).toEqual([
    'a.test.ts › opens (S-01, A-05): A-05 is not a row of docs/spec.md',
    missing('X-10 (A map)'),
  ])
  const variant = { ...example, title: 'opens (S-01)', ids: ['S-01'], isVariant: true }
  expect(findCoverageErrors(readSpecRows(SPEC), [variant])).toEqual([
    missing('S-01 (`/` opens `Sold. Out` early)'),
    missing('X-10 (A map)'),
  ])
})

test('rows are read with their first sentence, and those of X and N need a test once they are built', () => {
  expect(readSpecRows(SPEC)).toEqual([
    { id: 'S-01', what: '`/` opens `Sold. Out` early', needsTest: true },
    { id: 'X-02', what: 'A feed', needsTest: false },
    { id: 'X-10', what: 'A map', needsTest: true },
  ])
})

test('ids are read from the titles of tests that run, and from no other text', () => {
  const source = `
    // S-01
    test('plain, isn\\'t it (S-02)', () => expect('S-03').toBe(1))
    test(\`in \${'a loop'} (S-04, A-05)\`, DESKTOP_ONLY, async ({ page }) => {})
    test.each([['S-06']])('%s (S-07)', () => {})
    test('a further case (S-10)', VARIANT, async ({ page }) => {})
    test('another (S-12)', { tags: 'variant', timeout: 9 }, () => {})
    test.skip('skipped (S-08)', () => {})
    test.describe('group (S-09)', () => { test('inner', () => {}) })
    other('S-11', () => {})
  `
  expect(readTitledTests('a.test.ts', source)).toEqual([
    { file: 'a.test.ts', title: "plain, isn't it (S-02)", ids: ['S-02'], isVariant: false },
    { file: 'a.test.ts', title: "in ${'a loop'} (S-04, A-05)", ids: ['S-04', 'A-05'], isVariant: false },
    { file: 'a.test.ts', title: '%s (S-07)', ids: ['S-07'], isVariant: false },
    { file: 'a.test.ts', title: 'a further case (S-10)', ids: ['S-10'], isVariant: true },
    { file: 'a.test.ts', title: 'another (S-12)', ids: ['S-12'], isVariant: true },
    { file: 'a.test.ts', title: 'inner', ids: [], isVariant: false },
  ])
  // Vitest would take the tag in one piece for that of this file.
  const variants = readTitledTests('a.test.ts', `/** @module${'-'}tag variant */\n${source}`)
  expect(variants.every(({ isVariant }) => isVariant)).toBe(true)
})
