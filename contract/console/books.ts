import * as z from 'zod/mini'
import { ReserveStanding } from '#contract/transparency.ts'
import { Instant, Wallet } from '#contract/values.ts'
import { read } from './route.ts'
import { Exact, Span } from './values.ts'

/** How many payouts that a restored backup had forgotten are listed. */
export const MOST_RESTORED = 200

export const readBooks = read('/api/console/books', {
  summary: 'What the game owes and what it has.',
  right: 'view',
  query: z.strictObject({}),
  reply: z.object({
    supply: z.object({ deposited: Exact, earned: Exact, pool: Exact, held: Exact }),
    /** All-time totals. */
    flows: z.object({ emitted: Exact, burned: Exact, spent: Exact }),
    /** The latest reserve snapshot; null before the first one. */
    reserve: z.nullable(
      z.object({
        standing: ReserveStanding,
        at: Instant,
        slot: z.int(),
        treasury: Exact,
        cold: Exact,
        coldWallets: z.array(Wallet),
        depositAccounts: Exact,
        inFlight: Exact,
        tokens: Exact,
        owed: Exact,
        surplus: Exact,
      }),
    ),
    budget: z.object({ total: Exact, used: Exact, left: Exact, resetsAt: Instant }),
    /** The treasury's wallet as the signer last read it; null before the first time. */
    treasury: z.nullable(
      z.object({
        address: z.string(),
        mint: z.string(),
        tokens: Exact,
        /** SOL as decimal text. */
        sol: z.string(),
        at: Instant,
        /** Sentences. */
        alarms: z.array(z.string()),
      }),
    ),
    /** What open withdrawals hold, also those in review, and what the treasury lacks for them; 0 if it has enough. */
    topUp: z.object({ owed: Exact, missing: Exact }),
    /**
     * Payouts that a restored backup had forgotten and that wait for an operator, at most `MOST_RESTORED`. One that is taken
     * already has a debt left.
     */
    restored: z.array(
      z.object({
        signature: z.string(),
        /** '' if no single wallet received all of it. */
        wallet: z.string(),
        amount: Exact,
        open: Exact,
        isTaken: z.boolean(),
      }),
    ),
    /** How many of them can be taken back, and their sum: all of them, also where the list is cut. */
    takeBack: z.object({ payouts: z.int(), amount: Exact }),
  }),
})

export const BooksPoint = z.object({
  /** The end of the hour or of the UTC day. */
  at: Instant,
  /** Tokens on the chain and what the game owed; null if the reserve was not checked in that hour. */
  tokens: z.nullable(Exact),
  owed: z.nullable(Exact),
  pool: z.nullable(Exact),
  /** What the hour or day added. */
  emitted: Exact,
  burned: Exact,
  spent: Exact,
})

export const readBooksHistory = read('/api/console/books/history', {
  summary: 'Solvency, emission and burns by hour over 24 hours, or by day over 30 days.',
  right: 'view',
  query: z.strictObject({ span: Span }),
  reply: z.object({ points: z.array(BooksPoint) }),
})
