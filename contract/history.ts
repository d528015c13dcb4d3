import * as z from 'zod/mini'
import { get } from './route.ts'
import { CottonOnWire, Instant, Success, TransactionSignature } from './values.ts'

/** Why a balance moved. */
export const JournalKind = z.enum([
  'deposit',
  'claim',
  'hire',
  'parcel',
  'resale',
  'withdrawal',
  'refund',
  'adjustment',
])

export const HistoryItem = z.object({
  id: z.string(),
  kind: JournalKind,
  /** What it did to the player's balance; negative when it went down. */
  amount: CottonOnWire,
  at: Instant,
  /** What it was for, in the kind's own words: worker ids, a transaction signature, a withdrawal id. */
  detail: z.record(z.string(), z.union([z.string(), z.number()])),
})

export const readHistory = get('/api/users/history', {
  summary: 'Every movement of your balance, newest first; deposits on their way stand apart.',
  auth: 'player',
  query: z.strictObject({
    before: z.optional(z.uuid()),
    limit: z.optional(z.string().check(z.regex(/^([1-9]\d?|100)$/, 'must be 1 to 100'))),
  }),
  reply: z.object({
    success: Success,
    items: z.array(HistoryItem),
    /** Give it as `before` for the page that follows; null at the end. */
    next: z.nullable(z.string()),
    pending: z.array(z.object({ signature: TransactionSignature, amount: CottonOnWire, at: Instant })),
  }),
})

export const readLastSeen = get('/api/users/last-seen', {
  summary: 'When another session of yours was last seen, to a minute; null where there never was one.',
  auth: 'player',
  reply: z.object({ success: Success, elsewhereAt: z.nullable(Instant) }),
})
