import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// On a fresh clone Vitest knows no times, and begins with the longest text. Three lines may take the longest time.
const LONGEST = [
  'tests/simulation/simulation.test.ts',
  'tests/start/launch.test.ts',
  'server/signer/payouts/pay-withdrawal.test.ts',
]

/** Begins with what takes longest, so that all the rest is done beside it. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = LONGEST.findIndex((name) => moduleId.endsWith(name))
      return rank < 0 ? LONGEST.length : rank
    }
    // oxlint-disable-next-line unicorn/no-array-sort -- Vitest's own, of no array
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}

export default defineConfig({
  test: {
    include: ['{game,contract,server,web,tests,scripts,bench}/**/*.test.{ts,tsx}'],
    exclude: ['node_modules', '.build', 'tests/e2e/**'],
    globalSetup: ['tests/support/global-setup.ts'],
    pool: 'forks',
    // Much of a test is waiting: for the chain, for a process, for a clock.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // A laptop that does other things too is slow, not wrong.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
})
