import * as z from 'zod/mini'
import type { JournalKind } from '#game/credit.ts'
import { get } from './route.ts'
import { CottonOnWire, Day, Instant, Success, TransactionSignature } from './values.ts'

/** Why a player's balance changed. The ledger has more kinds of journals; these reach a player's history. */
export const HISTORY_KINDS = [
  'deposit',
  'claim',
  'hire',
  'parcel',
  'resale',
  'withdrawal',
  'refund',
  'adjustment',
  'cancellation',
] as const satisfies readonly JournalKind[]

export const HistoryKind = z.enum(HISTORY_KINDS)

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

/** A UTC month: `2026-11`. */
const Month = z.string().check(z.regex(/^20[2-9]\d-(0[1-9]|1[0-2])$/, 'is not a month'))

const HistoryFilter = {
  kind: z.optional(HistoryKind),
  /** The first and the last UTC day. */
  from: z.optional(Day),
  to: z.optional(Day),
}

export const exportHistory = get('/api/users/history.csv', {
  summary: 'Every change of your balance as CSV (RFC 4180, UTF-8), newest first, with the same filters.',
  auth: 'player',
  rateClass: 'chain',
  csv: true,
  query: z.strictObject(HistoryFilter),
  reply: z.string(),
})

const Classes = { deposited: CottonOnWire, earned: CottonOnWire }

export const Statement = z.object({
  /** A UTC month. */
  month: z.string(),
  /** The month of your first change; the present month if there was none. */
  firstMonth: z.string(),
  opening: z.object(Classes),
  /** The sums of each kind. Opening and all lines together are the closing balance, of each class of credit. */
  lines: z.array(z.object({ kind: HistoryKind, ...Classes })),
  closing: z.object(Classes),
})

export const readStatement = get('/api/users/statement', {
  summary: 'Opening balance, the sums of each kind, and closing balance of one UTC month.',
  auth: 'player',
  rateClass: 'chain',
  query: z.strictObject({ month: Month }),
  reply: z.object({ success: Success, statement: Statement }),
})

export const exportStatement = get('/api/users/statement.csv', {
  summary: 'The same as CSV.',
  auth: 'player',
  rateClass: 'chain',
  csv: true,
  query: z.strictObject({ month: Month }),
  reply: z.string(),
})

export const readHistory = get('/api/users/history', {
  summary: 'Every change of your balance, newest first. Pending deposits are listed separately.',
  auth: 'player',
  query: z.strictObject({
    ...HistoryFilter,
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
