import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
const mutants = [...ofSuites, ...ofStories]

test.each(mutants)('$name still changes what it is meant to change', ({ edits }) => {
  for (const { file, find } of edits)
    expect(readFileSync(join(ROOT, file), 'utf8').split(find), `${file}: ${find}`).toHaveLength(2)
})
