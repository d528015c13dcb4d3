import * as z from 'zod/mini'
import { fromWire, LARGEST_REQUEST } from '#game/cotton.ts'
import { get, post } from './route.ts'
import { RequestedForm, SentMessage, SignedMessage, ToSign, WalletSignature } from './signed-forms.ts'
import { CottonOnWire, Instant, NO_AMOUNT, Success, TransactionSignature, type WireAmount } from './values.ts'
import { WITHDRAWAL_REASONS, type WithdrawalReason } from './withdrawal-reasons.ts'

const REASONS = Object.keys(WITHDRAWAL_REASONS) as WithdrawalReason[]

/**
 * The smallest withdrawal is 1 $COTTON. Amounts above `LARGEST_REQUEST` are accepted here, so that the refusal can state
 * how much can be withdrawn.
 */
const WithdrawalAmount: z.ZodMiniType<WireAmount, WireAmount> = z.number().check(
  z.minimum(1, 'must be at least 1'),
  z.refine((amount) => amount > LARGEST_REQUEST || fromWire(amount) !== null, NO_AMOUNT),
)

/**
 * requested: held in the ledger. review: waits for the operator. signed: signature and bytes are stored.
 * sent: sent to the chain. finalized: the tokens are in the wallet. refunded: the credit is back in the balance.
 */
export const WithdrawalState = z.enum(['requested', 'review', 'signed', 'sent', 'finalized', 'refunded'])

export const Withdrawal = z.object({
  id: z.string(),
  amount: CottonOnWire,
  /** How much of it was deposited credit and how much was earned. */
  deposited: CottonOnWire,
  earned: CottonOnWire,
  state: WithdrawalState,
  /** A sentence for the player: why it waits or was refunded. */
  reason: z.nullable(z.string()),
  /** Every reason why it waits. `WITHDRAWAL_REASONS` has the sentences. */
  reasons: z.array(z.enum(REASONS)),
  signature: z.nullable(TransactionSignature),
  requestedAt: Instant,
  settledAt: z.nullable(Instant),
  /** When you cancelled it. Until it is `refunded`, the tokens are on their way back to your balance. */
  cancelledAt: z.nullable(Instant),
})

/** The refusals of both calls of a withdrawal. */
const REFUSES = [
  'above_balance',
  'not_withdrawable',
  'deposit_first',
  'too_many_withdrawals',
  'withdrawals_paused',
  'withdrawals_locked',
  'wallet_frozen',
] as const

export const challengeWithdrawal = post('/api/users/withdrawals/challenge', {
  summary: 'A single-use message with amount and wallet, for the wallet to sign. It is valid for 5 minutes.',
  auth: 'player',
  body: z.strictObject({ amount: WithdrawalAmount, form: RequestedForm }),
  reply: z.object({ success: Success, ...ToSign }),
  refuses: REFUSES,
})

export const requestWithdrawal = post('/api/users/withdrawals', {
  summary: 'Withdraws to your own wallet. The credit is held in the ledger immediately.',
  auth: 'player',
  keyed: true,
  body: z.strictObject({
    amount: WithdrawalAmount,
    message: SentMessage,
    signature: WalletSignature,
    signedMessage: SignedMessage,
  }),
  reply: z.object({ success: Success, withdrawal: Withdrawal, newBalance: CottonOnWire }),
  refuses: ['signature_failed', 'signed_form_unknown', 'challenge_expired', ...REFUSES],
})

export const cancelWithdrawal = post('/api/users/withdrawals/cancel', {
  summary:
    'Cancels a withdrawal that is not signed yet. It is never paid, and its tokens return to the balance they came from.',
  auth: 'player',
  keyed: true,
  body: z.strictObject({ withdrawalId: z.uuid() }),
  reply: z.object({ success: Success, withdrawal: Withdrawal }),
  refuses: ['withdrawal_not_found', 'not_cancellable'],
})

export const readWithdrawals = get('/api/users/withdrawals', {
  summary: 'Your withdrawals, newest first, in pages of 100.',
  auth: 'player',
  query: z.strictObject({ before: z.optional(z.uuid()) }),
  reply: z.object({
    success: Success,
    withdrawals: z.array(Withdrawal),
    /** Pass it as `before` to get the next page. Null on the last page. */
    next: z.nullable(z.string()),
  }),
})

export const readWithdrawable = get('/api/users/withdrawable', {
  summary: 'What you can withdraw right now, and what limits it.',
  auth: 'player',
  reply: z.object({
    success: Success,
    withdrawable: CottonOnWire,
    /** The two classes of your balance. */
    deposited: CottonOnWire,
    earned: CottonOnWire,
    /** Earned credit that today's budget still allows you to withdraw. */
    earnedToday: CottonOnWire,
    /** Whether this wallet has no credited deposit. Earned credit can be withdrawn only after one. */
    needsDeposit: z.boolean(),
    minimum: CottonOnWire,
    /** When the daily budget resets. */
    budgetResetsAt: Instant,
    paused: z.boolean(),
    /** Why and since when withdrawals are paused; null while they are not. */
    pause: z.nullable(z.object({ reason: z.string(), since: Instant })),
  }),
})
