import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ACT_MUTANTS } from './act-mutants.ts'

const ROOT = join(import.meta.dirname, '../..')

test.each(Object.entries(ACT_MUTANTS))('%s still changes what it is meant to change', (_name, edits) => {
  for (const { file, find } of edits)
    expect(readFileSync(join(ROOT, file), 'utf8').split(find), `${file}: ${find}`).toHaveLength(2)
})
