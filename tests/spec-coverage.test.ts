import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const upTo = (letter: string, last: number, digits: number): string[] =>
  Array.from({ length: last }, (_, at) => `${letter}-${String(at + 1).padStart(digits, '0')}`)

/** The rows of the spec, and what was settled where it leaves something open. */
const IDS = [...upTo('S', 108, 2), ...upTo('A', 34, 2)]

type Named = { file: string; title: string }
type Row = { id: string; what: string; tests: Named[] }

const rows: Row[] = read('docs/spec-coverage.md')
  .split('\n')
  .filter((line) => /^\| [A-Z]-\d/.test(line))
  .map((line) => {
    const [id = '', what = '', tests = ''] = line.slice(2, -2).split(/ +\| /)
    return { id, what, tests: tests.split('<br>').map(named) }
  })

function named(cell: string): Named {
  const [, file = cell, title = ''] = /^\s*`([^`]+)` › (.+?)\s*$/.exec(cell) ?? []
  return { file, title }
}

/**
 * The titles that a file gives to its tests: the text of the first argument. A title of a loop stands as it is written,
 * with its `${…}` or `%s`, since the table can only promise that the loop exists.
 */
function titlesIn(file: string): string[] {
  const calls =
    /\b(?:test|story)(?:\.each\([\s\S]*?\)(?: as const\))?)?\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g
  return [...read(file).matchAll(calls)].map(([, ...quoted]) =>
    (quoted.find((each) => each !== undefined) ?? '').replaceAll(/\\(.)/g, '$1'),
  )
}

test('every row of the spec and every reading stands in the table once, in order', () => {
  expect(rows.map(({ id }) => id)).toEqual(IDS)
})

test('every row says what it is, and names at least one test', () => {
  const bare = rows.filter(({ what, tests }) => what === '' || tests.some(({ title }) => title === ''))
  expect(bare).toEqual([])
})

test('every test that the table names exists, and is not skipped for good', () => {
  const missing = rows.flatMap(({ id, tests }) =>
    tests
      .filter(({ file, title }) => !existsSync(join(ROOT, file)) || !titlesIn(file).includes(title))
      .map(({ file, title }) => `${id}: ${file} › ${title}`),
  )
  expect(missing).toEqual([])
  const files = new Set(rows.flatMap(({ tests }) => tests.map(({ file }) => file)))
  for (const file of files) expect(read(file), file).not.toMatch(/\btest\.(skip|todo|fixme)\(\s*['"`]/)
})

test('titles are told apart from all other text of a file', () => {
  const titles = titlesIn('tests/e2e/music.e2e.ts')
  expect(titles).toContain('after a reload the music goes on at the first ${name}')
  expect(titles).not.toContain('Start picking')
  expect(titlesIn('web/shell/time-of-day.test.ts')).toEqual(['at %i o’clock it is %s'])
})
