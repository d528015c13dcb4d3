import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{game,contract,server,web,tests,scripts,bench}/**/*.test.{ts,tsx}'],
    exclude: ['node_modules', '.build', 'tests/e2e/**'],
    globalSetup: ['tests/support/global-setup.ts'],
    pool: 'forks',
    // Much of a test is waiting: for the chain, for a process, for a clock.
    maxWorkers: 3,
    // A laptop that does other things too is slow, not wrong.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
})
