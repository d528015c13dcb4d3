import * as z from 'zod/mini'
import { get } from './route.ts'
import { CottonOnWire, Instant, Wallet } from './values.ts'
import { WithdrawalState } from './withdrawals.ts'

/** A total since the beginning, and what the last 24 hours added to it. */
const Flow = z.object({ total: CottonOnWire, lastDay: CottonOnWire })

/**
 * covered: there are at least as many tokens as are owed. short: there are fewer, and withdrawals are paused.
 * unseen: nobody has looked lately, so nobody knows.
 */
export const ReserveStanding = z.enum(['covered', 'short', 'unseen'])

export const readTransparency = get('/api/transparency', {
  summary: 'What there is of each kind of credit, the tokens that stand behind it, and what waits to leave.',
  reply: z.object({
    supply: z.object({
      deposited: CottonOnWire,
      earned: CottonOnWire,
      /** Tokens that back rewards. */
      pool: CottonOnWire,
      /** Withdrawals on their way. */
      held: CottonOnWire,
    }),
    flows: z.object({
      /** Credit that pickers made. */
      emitted: Flow,
      /** Earned credit that was spent in the game or left it. */
      burned: Flow,
      /** Deposited credit that was spent; it went into the pool. */
      spent: Flow,
    }),
    /** The last look at the chain; null before the first. */
    reserve: z.nullable(
      z.object({
        standing: ReserveStanding,
        at: Instant,
        slot: z.number(),
        treasury: CottonOnWire,
        /** In wallets of the operator whose keys are on no machine of the game, and which wallets these are. */
        cold: CottonOnWire,
        coldWallets: z.array(Wallet),
        depositAccounts: CottonOnWire,
        /** Payouts that landed and are not settled yet. */
        inFlight: CottonOnWire,
        tokens: CottonOnWire,
        /** Deposited credit, pool and held withdrawals, as of the same slot. */
        owed: CottonOnWire,
      }),
    ),
    /** Earned credit that may leave today (UTC), first come, first served; `perWallet` bounds each wallet. */
    budget: z.object({
      total: CottonOnWire,
      used: CottonOnWire,
      left: CottonOnWire,
      perWallet: CottonOnWire,
      resetsAt: Instant,
    }),
    /** Withdrawals that are not over, by state; a state in which none stands is left out. */
    queue: z.array(
      z.object({ state: WithdrawalState, count: z.number(), amount: CottonOnWire, oldest: Instant }),
    ),
    /** Why and since when nothing can be withdrawn; null while it can. */
    pause: z.nullable(z.object({ reason: z.string(), since: Instant })),
  }),
})
