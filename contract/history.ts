import * as z from 'zod/mini'
import { get } from './route.ts'
import { CottonOnWire, Instant, Success, TransactionSignature } from './values.ts'

/** Why a player's balance changed. The ledger has more kinds of journals; these reach a player's history. */
export const HistoryKind = z.enum([
  'deposit',
  'claim',
  'hire',
  'parcel',
  'resale',
  'withdrawal',
  'refund',
  'adjustment',
  'cancellation',
])

export const HistoryItem = z.object({
  id: z.string(),
  kind: HistoryKind,
  /** The change of the player's balance; negative for a decrease. */
  amount: CottonOnWire,
  at: Instant,
  /**
   * Facts that depend on the kind: worker ids, a transaction signature, a withdrawal id. Land has `countryName` and
   * `regionName`; a resale also has the wallet of the other player as `counterparty`.
   */
  detail: z.record(z.string(), z.union([z.string(), z.number()])),
})

export const readHistory = get('/api/users/history', {
  summary: 'Every change of your balance, newest first. Pending deposits are listed separately.',
  auth: 'player',
  query: z.strictObject({
    before: z.optional(z.uuid()),
    limit: z.optional(z.string().check(z.regex(/^([1-9]\d?|100)$/, 'must be 1 to 100'))),
  }),
  reply: z.object({
    success: Success,
    items: z.array(HistoryItem),
    /** Pass it as `before` to get the next page. Null on the last page. */
    next: z.nullable(z.string()),
    pending: z.array(z.object({ signature: TransactionSignature, amount: CottonOnWire, at: Instant })),
  }),
})

export const readLastSeen = get('/api/users/last-seen', {
  summary: 'When another session of yours was last active, to the minute. Null if there was none.',
  auth: 'player',
  reply: z.object({ success: Success, elsewhereAt: z.nullable(Instant) }),
})
