import { ACCESS_MUTANTS } from './access-mutants.ts'
import { ACT_MUTANTS } from './act-mutants.ts'
import type { Mutants } from './edit.ts'

type Suite = {
  mutants: Mutants
  /** The tests that have to fail with each of them. */
  tests: readonly string[]
}

/** Checks of the product that are left out in turn. */
export const SUITES: Readonly<Record<string, Suite>> = {
  acts: {
    mutants: ACT_MUTANTS,
    tests: ['contract/console/acts.test.ts', 'server/operators/*.test.ts', 'server/signer/acts/*.test.ts'],
  },
  access: {
    mutants: ACCESS_MUTANTS,
    tests: [
      'tests/access/game-access.test.ts',
      'server/account/known-wallets.test.ts',
      'server/console/access.test.ts',
    ],
  },
}
