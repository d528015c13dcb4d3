import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { judgeRun, type Report } from './judge-run.ts'
import { SUITES } from './suites.ts'

// Runs the tests of a suite with each check left out, or with those that are named. Fails unless a test fails with each.
const ROOT = join(import.meta.dirname, '../..')
const [suiteName = '', ...named] = process.argv.slice(2)
const suite = SUITES[suiteName]
if (!suite) throw new Error(`Name a suite: ${Object.keys(SUITES).join(', ')}.`)
const unknown = named.filter((name) => !Object.hasOwn(suite.mutants, name))
if (unknown.length > 0) throw new Error(`There is no mutant ${unknown.join(', ')}.`)

const CONFIG = 'tests/mutants/mutants.config.ts'
const file = join(ROOT, '.build/mutants', `${suiteName}.json`)

/** The test that fails with a mutant; null if none does. */
function runTests(mutant: string): string | null {
  rmSync(file, { force: true })
  const { status, stdout, stderr } = spawnSync(
    'npx',
    [
      'vitest',
      'run',
      '--config',
      CONFIG,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ],
    {
      cwd: ROOT,
      env: { ...process.env, MUTANT_SUITE: suiteName, MUTANT: mutant, NO_COLOR: '1' },
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    },
  )
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null
  return judgeRun({ report, status, output: `${stdout}${stderr}` })
}

const failing = runTests('')
if (failing !== null) throw new Error(`The tests fail without a mutant: ${failing}`)
for (const mutant of named.length > 0 ? named : Object.keys(suite.mutants)) {
  let line: string
  try {
    const found = runTests(mutant)
    line = found === null ? `MISSED  ${mutant}` : `found   ${mutant}  by ${found}`
    if (found === null) process.exitCode = 1
  } catch (error) {
    line = `BROKEN  ${mutant}  ${error instanceof Error ? error.message : String(error)}`
    process.exitCode = 1
  }
  process.stdout.write(`${line}\n`)
}
