import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FOLDERS, NOT_MUTATED } from './folders.ts'
import { nameOf } from './survivor.ts'
import { SURVIVORS } from './survivors.ts'

const ROOT = join(import.meta.dirname, '../..')

test.each(FOLDERS)(
  '$folder has tests of its own, and what else tests it exists',
  ({ folder, alsoTests = [] }) => {
    expect(globSync(`${folder}/**/*.test.ts`, { cwd: ROOT })).not.toEqual([])
    expect([...alsoTests, ...NOT_MUTATED].filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  },
)

test('every mutant that is allowed to survive is a mutant of code that still exists, and has a reason', () => {
  const gone = SURVIVORS.filter(({ file, line, from }) => {
    if (!FOLDERS.some(({ folder }) => file.startsWith(`${folder}/`))) return true
    const code = readFileSync(join(ROOT, file), 'utf8')
    return !code.split('\n').some((each) => each.trim() === line) || !code.includes(from)
  })
  expect(gone.map(nameOf)).toEqual([])
  expect(SURVIVORS.filter(({ why }) => why.length < 10)).toEqual([])
  expect(new Set(SURVIVORS.map(nameOf)).size).toBe(SURVIVORS.length)
})
