import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { SUITES } from './suites.ts'

// Runs the tests of a suite with each check left out, or with those that are named. Fails if one is not found.
const ROOT = join(import.meta.dirname, '../..')
const [suiteName = '', ...named] = process.argv.slice(2)
const suite = SUITES[suiteName]
if (!suite) throw new Error(`Name a suite: ${Object.keys(SUITES).join(', ')}.`)
const unknown = named.filter((name) => !Object.hasOwn(suite.mutants, name))
if (unknown.length > 0) throw new Error(`There is no mutant ${unknown.join(', ')}.`)

const runTests = (mutant: string) =>
  spawnSync('npx', ['vitest', 'run', '--config', 'tests/mutants/mutants.config.ts'], {
    cwd: ROOT,
    env: { ...process.env, MUTANT_SUITE: suiteName, MUTANT: mutant, NO_COLOR: '1' },
    encoding: 'utf8',
  })

const { status: statusWithout, stdout: outputWithout } = runTests('')
if (statusWithout !== 0) throw new Error(`The tests fail without a mutant:\n${outputWithout}`)
const missed: string[] = []
for (const mutant of named.length > 0 ? named : Object.keys(suite.mutants)) {
  const { status, stdout } = runTests(mutant)
  const found = /^.*(?:FAIL|×)\s+(.*)$/m.exec(stdout)?.[1] ?? ''
  if (status === 0) missed.push(mutant)
  process.stdout.write(status === 0 ? `MISSED  ${mutant}\n` : `found   ${mutant}  by ${found}\n`)
}
if (missed.length > 0) process.exitCode = 1
