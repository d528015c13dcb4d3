import { join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Without cached durations Vitest sorts by file size. These files run longest although they are short.
const LONGEST = [
  'tests/simulation/simulation.test.ts',
  'tests/start/launch.test.ts',
  'server/signer/payouts/pay-withdrawal.test.ts',
]

/** Runs the longest test files first, so that the others run in parallel with them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = LONGEST.findIndex((name) => moduleId.endsWith(name))
      return rank < 0 ? LONGEST.length : rank
    }
    // oxlint-disable-next-line unicorn/no-array-sort -- Vitest's method, not an array's
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}

// `npm run test:archiving` alone runs it: it tests a runbook and two programs of Debian, and little of ours.
const ARCHIVING = 'tests/deploy/continuous-archiving.test.ts'

// Each worker and each child process loads the same modules, which Node then compiles once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.build/compile-cache')

const test = {
  exclude: ['node_modules', '.build', 'tests/e2e/**', ...(process.env.TEST_ARCHIVING ? [] : [ARCHIVING])],
  pool: 'forks',
  // A busy laptop is slow, which is not a failure.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  restoreMocks: true,
} satisfies TestProjectInlineConfiguration['test']

const inFolders = (...folders: string[]): string[] => [`{${folders.join()}}/**/*.test.{ts,tsx}`]

export default defineConfig({
  test: {
    projects: [
      // No module of these folders has state that outlives a test, so one process may run many files.
      { test: { ...test, name: 'pure', include: inFolders('game', 'contract', 'web'), isolate: false } },
      {
        test: {
          ...test,
          name: 'parts',
          include: inFolders('server', 'local-chain', 'tests', 'scripts', 'bench'),
          globalSetup: ['tests/support/global-setup.ts'],
        },
      },
    ],
    // Tests mostly wait for the chain, for processes and for clocks.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
  },
})
