import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import { FOLDERS, type MutatedFolder, NOT_MUTATED } from './folders.ts'
import { nameOf } from './survivor.ts'
import { SURVIVORS } from './survivors.ts'

// Mutates the folders that are named, or all, and runs a folder's tests on each mutant. Fails if a mutant survives that
// `survivors.ts` does not list, or if too few are found. A file may be named instead of its folder.
const ROOT = join(import.meta.dirname, '../..')
process.chdir(ROOT)
const named = process.argv.slice(2)
const isIn = ({ folder }: MutatedFolder, name: string): boolean => `${name}/`.startsWith(`${folder}/`)
const unknown = named.filter((name) => !existsSync(name) || !FOLDERS.some((each) => isIn(each, name)))
if (unknown.length > 0) throw new Error(`No folder of the list contains ${unknown.join(', ')}.`)

type Result = Awaited<ReturnType<Stryker['runMutationTest']>>[number]

const SURVIVED: readonly Result['status'][] = ['Survived', 'NoCoverage']
const FOUND: readonly Result['status'][] = ['Killed', 'Timeout']

for (const each of FOLDERS) {
  const code = named.length === 0 ? [each.folder] : named.filter((name) => isIn(each, name))
  if (code.length > 0) process.stdout.write(`\n${report(each, code, await mutate(each, code))}\n\n`)
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

/** What is said of a folder's code. Sets the exit code if it is not good enough. */
function report(
  { leastPercent }: MutatedFolder,
  code: readonly string[],
  results: readonly Result[],
): string {
  const found = results.filter(({ status }) => FOUND.includes(status)).length
  const survivors = results.filter(({ status }) => SURVIVED.includes(status)).map(toSurvivor)
  const of = found + survivors.length
  const percent = (100 * found) / of
  const listed = SURVIVORS.filter(({ file }) => code.some((name) => `${file}/`.startsWith(`${name}/`)))
  const isListed = new Set(listed.map(nameOf))
  const survived = new Set(survivors.map(nameOf))
  const unlisted = [...survived].filter((name) => !isListed.has(name))
  if (percent < leastPercent || unlisted.length > 0) process.exitCode = 1
  return [
    `${code.join(', ')}: ${found} of ${of} mutants found, ${percent.toFixed(1)} % of at least ${leastPercent} %`,
    ...unlisted.map((name) => `  survives and is not listed: ${name}`),
    ...listed
      .map(nameOf)
      .flatMap((name) => (survived.has(name) ? [] : [`  is listed and was found: ${name}`])),
  ].join('\n')
}

function toSurvivor({ fileName, location: { start, end }, replacement = '' }: Result) {
  const lines = readFileSync(fileName, 'utf8').split('\n')
  const from = lines.slice(start.line - 1, end.line)
  const line = from[0]!.trim()
  from[from.length - 1] = from.at(-1)!.slice(0, end.column - 1)
  from[0] = from[0]!.slice(start.column - 1)
  return { file: relative(ROOT, fileName), line, from: from.join('\n'), to: replacement }
}
