import * as z from 'zod/mini'
import { Instant, Success, Wallet } from '#contract/values.ts'
import { StoredAct } from './act-list.ts'
import { Deposit } from './deposits.ts'
import { PlayerFacts } from './players.ts'
import { act, read } from './route.ts'
import { Cursor, Exact, pageOf, Reason } from './values.ts'

export const StoredState = z.enum([
  'requested',
  'review',
  'approved',
  'signed',
  'sent',
  'finalized',
  'refunded',
])

export const WithdrawalRow = z.object({
  id: z.string(),
  wallet: Wallet,
  amount: Exact,
  deposited: Exact,
  earned: Exact,
  state: StoredState,
  /** Every reason why it waits or was refunded: a code, and a sentence for operators. */
  reasons: z.array(z.object({ code: z.string(), sentence: z.string() })),
  requestedAt: Instant,
  settledAt: z.nullable(Instant),
  cancelledAt: z.nullable(Instant),
  retryAt: z.nullable(Instant),
  /** The newest signature of its payout. */
  signature: z.nullable(z.string()),
  /** How many operators must approve it, and who has. */
  needed: z.int(),
  approvals: z.array(z.object({ wallet: Wallet, name: z.string(), at: Instant })),
  /** Whether the wallet is frozen. */
  frozen: z.boolean(),
})

export const listWithdrawals = read('/api/console/withdrawals', {
  summary:
    'Withdrawals. Open ones and those of an open state: oldest first. Finalized and refunded ones: newest first. With a wallet, `open` lists its open ones, and any other state all of its withdrawals, newest first.',
  right: 'view',
  query: z.strictObject({
    state: z.union([z.literal('open'), StoredState]),
    wallet: z.optional(Wallet),
    cursor: z.optional(Cursor),
  }),
  reply: pageOf(WithdrawalRow),
})

/** How many withdrawals and deposits of its player come with a withdrawal. */
export const NEWEST_OF_PLAYER = 20

export const readWithdrawal = read('/api/console/withdrawal', {
  summary: 'One withdrawal, the acts on it, and what is known of its player.',
  right: 'view',
  query: z.strictObject({ id: z.uuid() }),
  reply: z.object({
    withdrawal: WithdrawalRow,
    /** Acts on this withdrawal, oldest first: the first one says who was first. */
    acts: z.array(StoredAct),
    player: PlayerFacts,
    /** The newest of each, at most `NEWEST_OF_PLAYER`. */
    withdrawals: z.array(WithdrawalRow),
    deposits: z.array(Deposit),
  }),
  refuses: ['withdrawal_not_found'],
})

export const pause = act('/api/console/pause', {
  summary: 'Pauses withdrawals. Players read the reason. To resume is a signed act.',
  right: 'decide',
  body: z.strictObject({ reason: Reason }),
  reply: z.object({ success: Success, outcome: z.string() }),
  refuses: ['already_done'],
})
