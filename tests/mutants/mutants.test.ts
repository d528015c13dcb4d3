import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SUITES } from './suites.ts'

const ROOT = join(import.meta.dirname, '../..')

const mutants = Object.entries(SUITES).flatMap(([suite, of]) =>
  Object.entries(of.mutants).map(([name, edits]) => ({ name: `${suite}: ${name}`, edits })),
)

test.each(mutants)('$name still changes what it is meant to change', ({ edits }) => {
  for (const { file, find } of edits)
    expect(readFileSync(join(ROOT, file), 'utf8').split(find), `${file}: ${find}`).toHaveLength(2)
})
