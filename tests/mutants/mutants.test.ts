import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FUZZ_MUTANTS } from '#tests/fuzz/fuzz-mutants.ts'
import { readTitledTests } from '../../scripts/list-spec-coverage.mjs'
import { STORY_MUTANTS } from './story-mutants.ts'
import { SUITES } from './suites.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const ofSuites = Object.entries(SUITES).flatMap(([suite, of]) =>
  Object.entries(of.mutants).map(([name, edits]) => ({ name: `${suite}: ${name}`, edits })),
)
const ofStories = Object.entries(STORY_MUTANTS).map(([name, { edits }]) => ({
  name: `stories: ${name}`,
  edits,
}))
const ofFuzzing = Object.entries(FUZZ_MUTANTS).map(([name, edits]) => ({ name: `fuzzing: ${name}`, edits }))
const mutants = [...ofSuites, ...ofStories, ...ofFuzzing]

test.each(mutants)('$name still changes what it is meant to change', ({ edits }) => {
  for (const { file, find } of edits) expect(read(file).split(find), `${file}: ${find}`).toHaveLength(2)
})

const browserTests = globSync('tests/e2e/*.e2e.ts', { cwd: ROOT }).flatMap((file) =>
  readTitledTests(file, read(file)),
)

test('a bug of a story runs one browser test, and every test of the console has such a bug', () => {
  const stories = Object.values(STORY_MUTANTS).map(({ story }) => ({
    story,
    titles: browserTests.map(({ title }) => title).filter((title) => title.startsWith(story)),
  }))
  expect(stories.filter(({ titles }) => titles.length !== 1)).toEqual([])
  const withBug = new Set(stories.flatMap(({ titles }) => titles))
  const ofConsole = browserTests.filter(({ file }) => /\/console-[^/]*$/.test(file))
  expect(ofConsole.length).toBeGreaterThan(20)
  expect(ofConsole.map(({ title }) => title).filter((title) => !withBug.has(title))).toEqual([])
  expect(read('docs/proof.md')).toContain(`${withBug.size} tests of every page and every act`)
})

test('the documents count the checks that are removed', () => {
  const proof = read('docs/proof.md').replaceAll(/\s+/g, ' ')
  for (const [suite, { mutants }] of Object.entries(SUITES)) {
    const count = Object.keys(mutants).length
    const after = proof.split(`npm run test:${suite}\``).at(-1)!
    const [, counted = ''] = /(\d+ of \d+) checks that are removed in turn/.exec(after) ?? []
    expect([suite, counted]).toEqual([suite, `${count} of ${count}`])
  }
})
