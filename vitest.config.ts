import { defineConfig } from 'vitest/config'
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

export default defineConfig({
  test: {
    include: ['{game,contract,server,local-chain,web,tests,scripts,bench}/**/*.test.{ts,tsx}'],
    exclude: ['node_modules', '.build', 'tests/e2e/**', ...(process.env.TEST_ARCHIVING ? [] : [ARCHIVING])],
    globalSetup: ['tests/support/global-setup.ts'],
    pool: 'forks',
    // Tests mostly wait for the chain, for processes and for clocks.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // A busy laptop is slow, which is not a failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
})
