import * as z from 'zod/mini'
import { get, post } from './route.ts'
import { CottonOnWire, Instant, Success, Wallet, WorkerId, WorkerTypeName } from './values.ts'

export const WorkerTypeOnWire = z.object({
  workerType: WorkerTypeName,
  name: z.string(),
  maxSupply: z.int(),
  sold: z.int(),
  available: z.int(),
  /** Percent sold, 0 to 100. */
  progress: z.number(),
  price: CottonOnWire,
  /** $COTTON per hour. */
  generationRate: z.number(),
  image: z.string(),
})

const ByType = z.record(WorkerTypeName, WorkerTypeOnWire)

export const readWorkerTypes = get('/api/workers/types', {
  summary: 'The worker types with price, rate and supply.',
  reply: z.object({ success: Success, workerTypes: ByType }),
})

export const readWorkerSupply = get('/api/workers/supply', {
  summary: 'The supply of each worker type, by type.',
  reply: ByType,
})

/**
 * A worker at the time of the response, which is its `lastTokenUpdate`. That is the time of its hire if it was hired while
 * the server's clock was ahead: it generates from then on.
 */
export const OwnedWorker = z.object({
  workerId: WorkerId,
  workerType: WorkerTypeName,
  totalGeneratedTokens: CottonOnWire,
  claimedGeneratedTokens: CottonOnWire,
  /** Whole $COTTON that a claim would pay at `lastTokenUpdate`. */
  unclaimedTokens: CottonOnWire,
  generationRate: z.number(),
  purchaseDate: Instant,
  lastTokenUpdate: Instant,
})

export const readOwnedWorkers = get('/api/workers/owned', {
  summary: 'Your workers, oldest first, in pages of 1,000.',
  auth: 'player',
  query: z.strictObject({ after: z.optional(WorkerId) }),
  reply: z.object({
    success: Success,
    workers: z.array(OwnedWorker),
    /** Pass it as `after` to get the next page. Null on the last page. */
    next: z.nullable(WorkerId),
  }),
})

export const purchaseWorker = post('/api/workers/purchase', {
  summary: 'Hires one worker.',
  auth: 'player',
  keyed: true,
  body: z.strictObject({ workerType: WorkerTypeName, walletAddress: Wallet }),
  reply: z.object({
    success: Success,
    worker: z.object({ workerId: WorkerId, workerType: WorkerTypeName }),
    message: z.string(),
    newBalance: CottonOnWire,
  }),
  refuses: ['wallet_of_another', 'sold_out', 'not_enough_credit', 'wallet_frozen'],
})

export const claimWorker = post('/api/workers/claim', {
  summary: 'Claims what one worker has generated, in whole $COTTON.',
  auth: 'player',
  keyed: true,
  body: z.strictObject({ workerId: WorkerId }),
  reply: z.object({ success: Success, claimedAmount: CottonOnWire, newBalance: CottonOnWire }),
  refuses: ['worker_not_found', 'nothing_to_claim', 'wallet_frozen'],
})

export const claimAllWorkers = post('/api/workers/claim-all', {
  summary: 'Claims what all your workers, or all of one type, have generated.',
  auth: 'player',
  keyed: true,
  body: z.strictObject({ workerType: z.optional(WorkerTypeName) }),
  reply: z.object({
    success: Success,
    claimedAmount: CottonOnWire,
    claimedWorkers: z.int(),
    newBalance: CottonOnWire,
  }),
  refuses: ['nothing_to_claim', 'wallet_frozen'],
})
