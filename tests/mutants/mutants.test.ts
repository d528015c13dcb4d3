import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FUZZ_MUTANTS } from '#tests/fuzz/fuzz-mutants.ts'
import { STORY_MUTANTS } from './story-mutants.ts'
import { SUITES } from './suites.ts'

const ROOT = join(import.meta.dirname, '../..')

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
  for (const { file, find } of edits)
    expect(readFileSync(join(ROOT, file), 'utf8').split(find), `${file}: ${find}`).toHaveLength(2)
})
