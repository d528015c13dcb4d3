import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import { FOLDERS, type MutatedFolder, NOT_MUTATED } from './folders.ts'
import { type Result, reportOf } from './report.ts'
import { SURVIVORS } from './survivors.ts'

// Mutates the folders that are named, or all, and runs a folder's tests on each mutant. Fails if a mutant survives that
// `survivors.ts` does not list, or if too few are found. A file may be named instead of its folder.
const ROOT = join(import.meta.dirname, '../..')
process.chdir(ROOT)
const named = process.argv.slice(2)
const isIn = ({ folder }: MutatedFolder, name: string): boolean => `${name}/`.startsWith(`${folder}/`)
const unknown = named.filter((name) => !existsSync(name) || !FOLDERS.some((each) => isIn(each, name)))
if (unknown.length > 0) throw new Error(`No folder of the list contains ${unknown.join(', ')}.`)

for (const each of FOLDERS) {
  const code = named.length === 0 ? [each.folder] : named.filter((name) => isIn(each, name))
  if (code.length === 0) continue
  const { text, isGood } = reportOf({ ...each, code, results: await mutate(each, code), known: SURVIVORS })
  if (!isGood) process.exitCode = 1
  process.stdout.write(`\n${text}\n\n`)
}

function mutate({ folder, alsoTests = [] }: MutatedFolder, code: readonly string[]): Promise<Result[]> {
  const isPure = folder === 'game'
  const files = code.map((name) => (name.endsWith('.ts') ? name : `${name}/**/*.ts`))
  // With Stryker's own list of test files no mutant of a constant takes effect.
  process.env.MUTATION_TESTS = [`${folder}/**/*.test.ts`, ...alsoTests].join()
  process.env.MUTATION_PROJECT = isPure ? 'pure' : 'parts'
  return new Stryker({
    mutate: [...files, `!${folder}/**/*.test.ts`, ...NOT_MUTATED.map((file) => `!${file}`)],
    testRunner: 'vitest',
    vitest: {
      configFile: 'tests/mutation/vitest.config.ts',
      pool: isPure ? 'threads' : 'forks',
      related: false,
    },
    coverageAnalysis: 'perTest',
    plugins: ['@stryker-mutator/*', join(import.meta.dirname, 'ignore-statements.ts')],
    ignorers: ['statements'],
    // On the server, strings are words that the types check.
    mutator: { excludedMutations: isPure ? [] : ['StringLiteral'] },
    concurrency: 2,
    // A busy machine is slow, and that finds no mutant.
    timeoutMS: 60_000,
    timeoutFactor: 4,
    dryRunTimeoutMinutes: 30,
    tempDirName: '.build/mutation',
    ignorePatterns: ['.build', '.data', 'tests/releases', 'tests/visual', 'docs/screens'],
    // The mutants are neither type-checked nor compiled.
    tsconfigFile: '.build/none.json',
    disableTypeChecks: false,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: `.build/mutants/${folder.replace('/', '-')}.json` },
    warnings: false,
    allowConsoleColors: false,
  }).runMutationTest()
}
