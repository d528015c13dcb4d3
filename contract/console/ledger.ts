import * as z from 'zod/mini'
import { Day, Instant, Wallet } from '#contract/values.ts'
import { CLASSES, JOURNAL_KINDS, WORLD_ACCOUNTS } from '#game/credit.ts'
import { read } from './route.ts'
import { Cursor, Exact } from './values.ts'

const Filter = {
  wallet: z.optional(Wallet),
  kind: z.optional(z.enum(JOURNAL_KINDS)),
  /** The first and the last UTC day. */
  from: z.optional(Day),
  to: z.optional(Day),
  /** The smallest and the largest amount that the journal moves. */
  least: z.optional(Exact),
  most: z.optional(Exact),
}

export const JournalView = z.object({
  id: z.string(),
  at: Instant,
  kind: z.enum(JOURNAL_KINDS),
  wallet: z.string(),
  /** The sum of its positive lines. */
  amount: Exact,
  lines: z.array(
    z.object({
      /** A player's wallet, or empty for the game's own accounts. */
      wallet: z.string(),
      account: z.enum([...CLASSES, ...WORLD_ACCOUNTS]),
      amount: Exact,
      balanceAfter: z.nullable(Exact),
    }),
  ),
  /** Facts of its kind as JSON text: worker ids, a signature, a withdrawal id. */
  detail: z.string(),
})

export const listJournals = read('/api/console/ledger', {
  summary:
    'Journals, newest first. A page reads at most 2,000 journals: with a filter on amounts it can be short although `next` is not null.',
  right: 'view',
  query: z.strictObject({ ...Filter, cursor: z.optional(Cursor) }),
  reply: z.object({
    items: z.array(JournalView),
    next: z.nullable(Cursor),
    /** How far back this page has searched; null if it reached the end. */
    searchedTo: z.nullable(Instant),
  }),
})

export const exportJournals = read('/api/console/ledger.csv', {
  summary:
    'The lines of the same journals as CSV (RFC 4180, UTF-8), newest first, about a million at most. The last line says so if there are more.',
  right: 'view',
  rateClass: 'export',
  csv: true,
  query: z.strictObject(Filter),
  reply: z.string(),
})
