/** A folder whose code is mutated, the tests that have to notice, and the least share of mutants that they must find. */
export type MutatedFolder = { folder: string; leastPercent: number; alsoTests?: readonly string[] }

/** Money and login first. A folder's own tests run, and `alsoTests`. */
export const FOLDERS: readonly MutatedFolder[] = [
  { folder: 'game', leastPercent: 95 },
  { folder: 'server/ledger', leastPercent: 95, alsoTests: ['server/freeze/freeze-wallet.test.ts'] },
  {
    folder: 'server/account',
    leastPercent: 95,
    alsoTests: ['tests/corpora/logins.test.ts', 'server/actions/unknown-outcome.test.ts'],
  },
  { folder: 'server/deposits', leastPercent: 95, alsoTests: ['server/signer/acts/stale-readings.test.ts'] },
  {
    folder: 'server/withdrawals',
    leastPercent: 95,
    alsoTests: [
      'server/signer/review/limits.test.ts',
      'server/console/operator-actions.test.ts',
      'server/monitoring/money-metrics.test.ts',
    ],
  },
  { folder: 'server/workers', leastPercent: 80 },
  { folder: 'server/parcels', leastPercent: 80 },
  { folder: 'server/market', leastPercent: 80 },
  {
    folder: 'server/solvency',
    leastPercent: 80,
    alsoTests: ['server/ops/audit-books.test.ts', 'server/signer/acts/stale-readings.test.ts'],
  },
]

/** Generated from a table of data. */
export const NOT_MUTATED: readonly string[] = ['game/land-table.ts']
