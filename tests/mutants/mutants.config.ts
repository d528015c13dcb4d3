import { join, relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { SUITES } from './suites.ts'

const ROOT = join(import.meta.dirname, '../..')
const { MUTANT_SUITE = '', MUTANT = '' } = process.env
const suite = SUITES[MUTANT_SUITE]!
const edits = suite.mutants[MUTANT] ?? []

/** The tests of a suite, on a product with the edits of one mutant. */
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
    include: [...suite.tests],
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
