import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ACT_MUTANTS } from './act-mutants.ts'

// Runs the tests of signed acts with each check left out, or with those that are named. Fails if one is not found.
const ROOT = join(import.meta.dirname, '../..')
const named = process.argv.slice(2)
const unknown = named.filter((name) => !Object.hasOwn(ACT_MUTANTS, name))
if (unknown.length > 0) throw new Error(`There is no mutant ${unknown.join(', ')}.`)

const runTests = (mutant: string) =>
  spawnSync('npx', ['vitest', 'run', '--config', 'tests/acts/mutants.config.ts'], {
    cwd: ROOT,
    env: { ...process.env, ACT_MUTANT: mutant, NO_COLOR: '1' },
    encoding: 'utf8',
  })

if (runTests('').status !== 0) throw new Error('The tests fail without a mutant.')
const missed: string[] = []
for (const mutant of named.length > 0 ? named : Object.keys(ACT_MUTANTS)) {
  const { status, stdout } = runTests(mutant)
  const found = /^.*(?:FAIL|×)\s+(.*)$/m.exec(stdout)?.[1] ?? ''
  if (status === 0) missed.push(mutant)
  process.stdout.write(status === 0 ? `MISSED  ${mutant}\n` : `found   ${mutant}  by ${found}\n`)
}
if (missed.length > 0) process.exitCode = 1
