import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FAULT_MUTANTS } from './fault-mutants.ts'

const ROOT = join(import.meta.dirname, '../..')

test.each(Object.entries(FAULT_MUTANTS))('%s still changes what it is meant to change', (_name, mutant) => {
  for (const { file, find } of mutant.edits ?? [])
    expect(readFileSync(join(ROOT, file), 'utf8').split(find), `${file}: ${find}`).toHaveLength(2)
})
