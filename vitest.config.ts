import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{game,contract,server,web,tests,scripts,bench}/**/*.test.{ts,tsx}'],
    exclude: ['node_modules', '.build', 'tests/e2e/**'],
    globalSetup: ['tests/support/global-setup.ts'],
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 30_000,
    restoreMocks: true,
  },
})
