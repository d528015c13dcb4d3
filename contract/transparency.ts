import * as z from 'zod/mini'
import { get } from './route.ts'
import { CottonOnWire, Instant, Wallet } from './values.ts'
import { WithdrawalState } from './withdrawals.ts'

/** An all-time total, and the part of it that the last 24 hours added. */
const Flow = z.object({ total: CottonOnWire, lastDay: CottonOnWire })

/**
 * covered: the tokens on the chain cover what is owed. unconfirmed: the last check found too few tokens, and the next ones
 * decide. short: tokens are missing, and withdrawals are paused.
 * unseen: the last reserve snapshot is missing or too old.
 */
export const ReserveStanding = z.enum(['covered', 'unconfirmed', 'short', 'unseen'])

export const readTransparency = get('/api/transparency', {
  summary: 'The total of each class of credit, the tokens that back it, and the open withdrawals.',
  reply: z.object({
    supply: z.object({
      deposited: CottonOnWire,
      earned: CottonOnWire,
      /** Tokens that back rewards. */
      pool: CottonOnWire,
      /** Held for open withdrawals. */
      held: CottonOnWire,
    }),
    flows: z.object({
      /** Credit that pickers generated and players claimed. */
      emitted: Flow,
      /** Earned credit that was spent or withdrawn. */
      burned: Flow,
      /** Deposited credit that was spent. It is in the pool. */
      spent: Flow,
    }),
    /** The latest reserve snapshot; null before the first one. */
    reserve: z.nullable(
      z.object({
        standing: ReserveStanding,
        at: Instant,
        slot: z.number(),
        treasury: CottonOnWire,
        /** In cold wallets: the operator's wallets whose keys are on no machine of the game. */
        cold: CottonOnWire,
        coldWallets: z.array(Wallet),
        depositAccounts: CottonOnWire,
        /** Payouts that landed on the chain but are not settled in the ledger yet. */
        inFlight: CottonOnWire,
        tokens: CottonOnWire,
        /** Deposited credit, pool and held withdrawals, as of the same slot. */
        owed: CottonOnWire,
      }),
    ),
    /** Earned credit that can be withdrawn today (UTC), first come, first served. `perWallet` limits each wallet. */
    budget: z.object({
      total: CottonOnWire,
      used: CottonOnWire,
      left: CottonOnWire,
      perWallet: CottonOnWire,
      resetsAt: Instant,
    }),
    /** Open withdrawals by state. States without withdrawals are omitted. */
    queue: z.array(
      z.object({ state: WithdrawalState, count: z.number(), amount: CottonOnWire, oldest: Instant }),
    ),
    /** Why and since when withdrawals are paused; null while they are not. */
    pause: z.nullable(z.object({ reason: z.string(), since: Instant })),
  }),
})
