import * as z from 'zod/mini'
import { CONTINENTS } from '#game/continents.ts'
import { get, post } from './route.ts'
import { CottonOnWire, Instant, Success, Wallet, WorkerTypeName } from './values.ts'

/** The facts that milestones depend on. `MilestoneFacts` in game/milestones.ts says what each means. */
export const FactsOnWire = z.object({
  workers: z.record(WorkerTypeName, z.int()),
  available: z.record(WorkerTypeName, z.int()),
  harvested: CottonOnWire,
  hasSold: z.boolean(),
  parcelIds: z.array(z.string()),
  landOf: z.record(z.enum(CONTINENTS), z.int()),
  countries: z.int(),
})

export const readMilestones = get('/api/milestones', {
  summary: 'The milestones that were granted to you, and the facts that all milestones depend on.',
  auth: 'player',
  reply: z.object({
    success: Success,
    facts: FactsOnWire,
    /** In the order in which they were granted. */
    granted: z.array(z.object({ code: z.string(), grantedAt: Instant })),
  }),
})

export const celebrateMilestones = post('/api/milestones/celebrate', {
  summary: 'Grants the milestones that you have reached. Answers the codes of those that this call granted.',
  auth: 'player',
  keyed: true,
  body: z.strictObject({ walletAddress: Wallet }),
  reply: z.object({ success: Success, granted: z.array(z.string()) }),
  refuses: ['wallet_of_another'],
})
