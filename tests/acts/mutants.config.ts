import { join, relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { ACT_MUTANTS } from './act-mutants.ts'

const ROOT = join(import.meta.dirname, '../..')
const edits = ACT_MUTANTS[process.env.ACT_MUTANT ?? ''] ?? []

/** The tests of signed acts, on a product with the edits of one mutant. */
export default defineConfig({
  root: ROOT,
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      transform(code, id) {
        const own = edits.filter(({ file }) => file === relative(ROOT, id.split('?')[0]!))
        return own.reduce((text, { find, replace }) => text.split(find).join(replace), code)
      },
    },
  ],
  test: {
    include: ['contract/console/acts.test.ts', 'server/operators/*.test.ts', 'server/signer/acts/*.test.ts'],
    globalSetup: ['tests/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    bail: 1,
    // The key of the cache does not contain the mutant.
    fsModuleCache: false,
  },
})
