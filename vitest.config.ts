import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isVariantFile } from './scripts/is-variant-file.mjs'

// Without cached durations Vitest sorts by file size. These files run longest although they are short.
const LONGEST = [
  'tests/simulation/simulation.test.ts',
  'tests/large-tables.test.ts',
  'tests/start/start-and-stop.test.ts',
  'tests/start/backup.test.ts',
  'server/signer/payouts/pay-withdrawal.test.ts',
  'tests/start/signer-isolation.test.ts',
  'server/ops/restored.test.ts',
  'tests/start/launch.test.ts',
  'tests/start/rehearsal.test.ts',
  'server/ops/doctor/doctor.test.ts',
  'server/backup/drill.test.ts',
  'tests/start/running.test.ts',
  'tests/faults/kill-server.test.ts',
  'tests/deploy/proxies.test.ts',
  'tests/fuzz/fuzz.test.ts',
  'tests/clients/clients.test.ts',
  'tests/releases/releases.test.ts',
  'tests/releases/two-releases.test.ts',
  'tests/faults/drills.test.ts',
]

/**
 * Runs the longest test files first, so that the others run in parallel with them. Files that share a process run one after
 * the other: a worker process ends when the next file is of another project.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const shared = files.filter(({ project }) => !project.config.isolate)
    const names = [...new Set(shared.map(({ project }) => project.name))]
    const rankOf = ({ moduleId, project }: TestSpecification): number => {
      const rank = LONGEST.findIndex((name) => moduleId.endsWith(name))
      const group = project.config.isolate ? 0 : 1 + names.indexOf(project.name)
      return group * (LONGEST.length + 1) + (rank < 0 ? LONGEST.length : rank)
    }
    // oxlint-disable-next-line unicorn/no-array-sort -- Vitest's method, not an array's
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}

// `npm run test:archiving` alone runs it: it tests a runbook and two programs of Debian, and little of ours.
const ARCHIVING = 'tests/deploy/continuous-archiving.test.ts'

const inFolders = (...folders: string[]): string[] => [`{${folders.join()}}/**/*.test.{ts,tsx}`]

const PARTS = inFolders('server', 'local-chain', 'tests', 'scripts', 'tools', 'bench')

const findFiles = (patterns: readonly string[], isWanted: (text: string) => boolean): string[] =>
  patterns
    .flatMap((pattern) => globSync(pattern, { cwd: import.meta.dirname }))
    .filter((path) => !path.startsWith('tests/e2e/'))
    .filter((path) => isWanted(readFileSync(join(import.meta.dirname, path), 'utf8')))

/** `npm test` leaves out variants: further cases of what other tests prove. */
const WITHOUT_VARIANTS = process.env.TEST_VARIANTS === 'no'

/** Files with the tag. Vitest leaves out their tests as well, but only after it has loaded them, which makes folders. */
const LEFT_OUT = WITHOUT_VARIANTS ? findFiles(PARTS, isVariantFile) : []

// Each worker and each child process loads the same modules, which Node then compiles once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.build/compile-cache')

const test = {
  exclude: [
    'node_modules',
    '.build',
    'tests/e2e/**',
    ...LEFT_OUT,
    ...(process.env.TEST_ARCHIVING ? [] : [ARCHIVING]),
  ],
  pool: 'forks',
  // More test files run at once than there are processors. The helper threads of V8 would only slow them down.
  execArgv: ['--single-threaded'],
  // A busy laptop is slow, which is not a failure.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // A test that waits for a condition fails only if it never holds. The default is one second.
  expect: { poll: { timeout: 60_000 } },
  restoreMocks: true,
} satisfies TestProjectInlineConfiguration['test']

/** What a test file that leaves something behind contains: a database, a chain, a server, a process, a file, or a changed global. */
const LEAVES =
  /#tests\/|#local-chain\/|support\/|\.\/(fuzz-|database|serve-)|child_process|listen\(|createServer|mkdtemp|process\.|globalThis|\bvi\.|setFlags/

/** Test files of the parts that leave nothing behind. A process of its own takes longer than most of them. */
const PLAIN = findFiles(PARTS, (text) => !LEAVES.test(text))

/** What a test file that changes its process contains, or that starts others. */
const OWN_PROCESS =
  /child_process|process\.(chdir|emit|env|exit|on|umask)|globalThis|\bvi\.(mock|doMock|hoisted|resetModules|use|set|stub)|setFlags/

/** Test files that close what they open: databases, chains, servers. One process runs many of them in half of the time. */
const SHARED = findFiles(
  inFolders('server', 'local-chain', 'tests/access', 'tests/corpora'),
  (text) => LEAVES.test(text) && !OWN_PROCESS.test(text),
)

const globalSetup = ['tests/support/global-setup.ts']

const PURE = inFolders('game', 'contract', 'web')

/** Test files that load modules in another form. In a shared process others would get these, or have loaded the usual ones. */
const REPLACING = findFiles(PURE, (text) => /\bvi\.(mock|doMock|resetModules)\b/.test(text))

export default defineConfig({
  test: {
    projects: [
      // No module of these folders has state that outlives a test, so one process may run many files.
      {
        test: {
          ...test,
          name: 'pure',
          include: PURE,
          exclude: [...test.exclude, ...REPLACING],
          isolate: false,
        },
      },
      { test: { ...test, name: 'replacing', include: REPLACING } },
      { test: { ...test, name: 'plain', include: PLAIN, isolate: false } },
      { test: { ...test, name: 'shared', include: SHARED, isolate: false, globalSetup } },
      {
        test: {
          ...test,
          name: 'parts',
          include: PARTS,
          exclude: [...test.exclude, ...PLAIN, ...SHARED],
          globalSetup,
        },
      },
    ],
    tags: [{ name: 'variant', description: 'A further case of what another test proves.' }],
    ...(WITHOUT_VARIANTS && { tagsFilter: ['!variant'] }),
    // Tests mostly wait for the chain, for processes and for clocks.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
  },
})
