import type { Edit } from './mutants.ts'

/** Numbers of the product made small, so that a short history reaches their edges; and the one clock. */
export const SCALE: readonly Edit[] = [
  {
    file: 'server/platform/clock.ts',
    find: 'export const systemClock: Clock = { now: () => new Date() }',
    replace: `import { currentProcess } from '#tests/simulation/process.ts'
export const systemClock: Clock = { now: () => currentProcess().world.clock.now() }`,
  },
  { file: 'server/deposits/credit-deposits.ts', find: 'LARGEST_PAGE = 1_000', replace: 'LARGEST_PAGE = 3' },
  { file: 'server/deposits/credit-deposits.ts', find: 'BATCH = 50', replace: 'BATCH = 2' },
  {
    file: 'server/deposits/watch-deposits.ts',
    find: 'ROUNDS_BETWEEN_STRAYS = 15',
    replace: 'ROUNDS_BETWEEN_STRAYS = 3',
  },
  { file: 'server/signer/keys/fill-addresses.ts', find: 'READY = 200', replace: 'READY = 4' },
  { file: 'server/signer/keys/fill-addresses.ts', find: 'FEWEST = 150', replace: 'FEWEST = 2' },
  { file: 'server/signer/nonces/open-lanes.ts', find: 'LANES = 4', replace: 'LANES = 2' },
  {
    file: 'server/signer/sign-payouts.ts',
    find: 'ROUNDS_BETWEEN_SWEEPS = 10',
    replace: 'ROUNDS_BETWEEN_SWEEPS = 1',
  },
  {
    file: 'server/signer/sign-payouts.ts',
    find: 'ROUNDS_BETWEEN_RECORDS = 100',
    replace: 'ROUNDS_BETWEEN_RECORDS = 7',
  },
  { file: 'server/signer/payouts/reconcile-payouts.ts', find: 'PAGE = 1_000', replace: 'PAGE = 3' },
  {
    file: 'server/signer/payouts/reconcile-payouts.ts',
    find: 'LOOKS_IN_A_ROUND = 400',
    replace: 'LOOKS_IN_A_ROUND = 2',
  },
]
