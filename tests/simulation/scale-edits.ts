import type { Edit } from './mutants.ts'

/** Smaller constants of the product, so that a short history reaches their limits, and the simulated clock. */
export const SCALE_EDITS: readonly Edit[] = [
  {
    file: 'server/platform/clock.ts',
    find: 'export const systemClock: Clock = { now: () => new Date() }',
    replace: `import { currentProcess } from '#tests/simulation/process.ts'
export const systemClock: Clock = { now: () => currentProcess().world.clock.now() }`,
  },
  { file: 'server/deposits/credit-deposits.ts', find: 'MAX_PAGE_SIZE = 1_000', replace: 'MAX_PAGE_SIZE = 3' },
  { file: 'server/deposits/credit-deposits.ts', find: 'BATCH_SIZE = 50', replace: 'BATCH_SIZE = 2' },
  {
    file: 'server/deposits/watch-deposits.ts',
    find: 'ROUNDS_BETWEEN_OWNER_SCANS = 15',
    replace: 'ROUNDS_BETWEEN_OWNER_SCANS = 3',
  },
  // Seldom: with new addresses after each assignment, a signer would reach fewer payouts in as many steps.
  {
    file: 'server/signer/keys/ensure-free-addresses.ts',
    find: 'free + done < STOCK',
    replace: 'free < 2 && free + done < 4',
  },
  {
    file: 'server/signer/keys/ensure-free-addresses.ts',
    find: 'STOCK - free - done',
    replace: '4 - free - done',
  },
  { file: 'server/signer/keys/ensure-free-addresses.ts', find: 'BATCH_SIZE = 3', replace: 'BATCH_SIZE = 4' },
  // Few different indexes, so that worlds share derived keys.
  {
    file: 'server/signer/keys/ensure-free-addresses.ts',
    find: '(now.getTime() - EPOCH_MS) / INDEX_MS)',
    replace: '(now.getTime() - EPOCH_MS) / 600_000) * 1_024',
  },
  {
    file: 'server/signer/start-signer.ts',
    find: 'ROUNDS_BETWEEN_SWEEPS = 10',
    replace: 'ROUNDS_BETWEEN_SWEEPS = 1',
  },
  {
    file: 'server/signer/start-signer.ts',
    find: 'ROUNDS_BETWEEN_RECONCILIATIONS = 100',
    replace: 'ROUNDS_BETWEEN_RECONCILIATIONS = 7',
  },
  // A snapshot takes minutes while few of its calls are picked, and quiescence is shorter than the rest after it.
  { file: 'server/solvency/rest-after-rounds.ts', find: 'REST_FACTOR = 4', replace: 'REST_FACTOR = 0' },
  { file: 'server/signer/payouts/reconcile-payouts.ts', find: 'PAGE = 1_000', replace: 'PAGE = 3' },
  {
    file: 'server/signer/payouts/reconcile-payouts.ts',
    find: 'MAX_LOOKUPS_PER_ROUND = 400',
    replace: 'MAX_LOOKUPS_PER_ROUND = 2',
  },
]
