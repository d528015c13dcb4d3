import * as z from 'zod/mini'
import { ReserveStanding } from '#contract/transparency.ts'
import { Instant } from '#contract/values.ts'
import { read } from './route.ts'
import { Exact, Span } from './values.ts'

/** How far the console counts what it reads often. */
export const MOST_COUNTED = 1_000

/** The page of the console where a problem can be worked on. */
export const ConsolePage = z.enum([
  'today',
  'withdrawals',
  'deposits',
  'players',
  'world',
  'books',
  'ledger',
  'log',
  'health',
])

export const Problem = z.object({
  /** The name of the alert, as in docs/runbooks/alerts.md, or of a check of the console. */
  name: z.string(),
  severity: z.enum(['critical', 'warning']),
  /** A sentence that says what is wrong, and what to do. */
  summary: z.string(),
  page: ConsolePage,
})

/** The withdrawals of one open state. */
export const QueueState = z.object({
  state: z.enum(['requested', 'review', 'approved', 'signed', 'sent']),
  count: z.int(),
  amount: Exact,
  oldest: Instant,
})

export const readToday = read('/api/console/today', {
  summary: 'What is wrong, the worst first, and the money of today.',
  right: 'view',
  query: z.strictObject({}),
  reply: z.object({
    at: Instant,
    problems: z.array(Problem),
    queue: z.array(QueueState),
    /** Why and since when withdrawals are paused; null while they are not. */
    pause: z.nullable(z.object({ id: z.string(), reason: z.string(), since: Instant })),
    reserve: z.object({ standing: ReserveStanding, at: z.nullable(Instant), surplus: z.nullable(Exact) }),
    budget: z.object({ total: Exact, used: Exact }),
    pendingDeposits: z.int(),
    /** Signed acts that the signer has not executed yet, at most `MOST_COUNTED`. */
    waitingActs: z.int(),
  }),
})

/** What happened in an hour or a day. */
export const ActivityPoint = z.object({
  /** The start of the hour or of the UTC day. */
  at: Instant,
  /** Wallets that moved credit. Of a day: those of its busiest hour. */
  players: z.int(),
  newPlayers: z.int(),
  claims: z.int(),
  hires: z.int(),
  /** Parcels sold by the game. */
  parcels: z.int(),
  /** Parcels sold by players, and the sum of their prices. */
  resales: z.int(),
  volume: Exact,
  deposited: Exact,
  withdrawn: Exact,
})

export const readActivity = read('/api/console/activity', {
  summary: 'Activity by hour over 24 hours, or by day over 30 days. The present hour is not part of it.',
  right: 'view',
  query: z.strictObject({ span: Span }),
  reply: z.object({ points: z.array(ActivityPoint) }),
})

export const readLive = read('/api/console/live', {
  summary:
    'A version of each kind of list. Pages poll it every few seconds and read a list again if its version changed.',
  right: 'view',
  query: z.strictObject({}),
  reply: z.object({
    at: Instant,
    versions: z.object({
      withdrawals: z.string(),
      deposits: z.string(),
      acts: z.string(),
      log: z.string(),
      pause: z.string(),
    }),
    /** Withdrawals in review, at most `MOST_COUNTED`. */
    review: z.int(),
    /** Signed acts that the signer has not executed yet, at most `MOST_COUNTED`. */
    waitingActs: z.int(),
  }),
})
