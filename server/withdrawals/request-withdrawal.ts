import { randomUUID } from 'node:crypto'
import type { RefusalOf, ReplyOf } from '#contract/route.ts'
import type { requestWithdrawal } from '#contract/withdrawals.ts'
import { type Cotton, toWire, ZERO } from '#game/cotton.ts'
import { holdEntries, totalOf, splitWithdrawal } from '#game/credit.ts'
import { runOnce, type ActionRequest } from '#server/actions/run-once.ts'
import { type AnswerOf, granted, refused } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { rowOf, rowset, sql, type Tx } from '#server/platform/db/db.ts'
import { DEFAULT_OPEN_PER_WALLET } from '#server/platform/withdrawal-settings.ts'
import { countOpen } from './count-open.ts'
import { readWalletsWithoutDeposit } from './read-wallets-without-deposit.ts'
import { type HeldWithdrawal, toWithdrawalView } from './read-withdrawals.ts'
import { refuseAmount } from './refuse-amount.ts'
import type { SignatureProof } from './verify-signed-message.ts'
import { dayOf, lockRewardDay } from './reward-day.ts'
import { readLocks, refuseLocked } from './withdrawal-lock.ts'
import { withdrawalsPaused } from './withdrawal-pause.ts'

/** A request whose signature over its challenge is verified. The signer verifies it again. */
export type WithdrawalRequest = ActionRequest & {
  amount: Cotton
  traceparent?: string | null
} & SignatureProof

const lockChallenges = sql({
  name: 'withdrawals-lock-challenges',
  params: { nonces: 'text[]' },
  row: rowOf<{ nonce: string; wallet: string; amount: Cotton; expiresAt: Date }>(),
  text: ({ nonces }) => `select nonce, wallet, amount, expires_at as "expiresAt" from withdrawal_challenges
    where nonce = any(${nonces}) order by nonce for update`,
})

const consumeChallenges = sql({
  name: 'withdrawals-take-challenges',
  params: { nonces: 'text[]' },
  text: ({ nonces }) => `delete from withdrawal_challenges where nonce = any(${nonces})`,
})

const addWithdrawals = sql({
  name: 'withdrawals-add',
  params: {
    held: rowset({
      id: 'uuid',
      wallet: 'text',
      deposited: 'bigint',
      earned: 'bigint',
      hold_id: 'uuid',
      nonce: 'text',
      wallet_signature: 'bytea',
      signed_form: 'text',
      traceparent: 'text | null',
    }),
    day: 'date',
    now: 'timestamptz',
  },
  text: ({ held, day, now }) =>
    `insert into withdrawals
       (id, wallet, deposited, earned, hold_id, nonce, wallet_signature, signed_form, traceparent, day, requested_at)
     select id, wallet, deposited, earned, hold_id, nonce, wallet_signature, signed_form, traceparent, ${day}, ${now} from ${held}`,
})

/**
 * Holds the amounts of withdrawals: many requests in, one answer each, in their order. One transaction posts the hold
 * and consumes the challenge, so a replayed request is refused.
 */
export async function requestWithdrawals(
  tx: Tx,
  requests: readonly WithdrawalRequest[],
  clock: Clock,
  maxOpen = DEFAULT_OPEN_PER_WALLET,
): Promise<AnswerOf<typeof requestWithdrawal>[]> {
  // Counted while the accounts are locked, so that concurrent requests cannot exceed the limit together.
  const lockAndRead = () =>
    countOpen(
      tx,
      requests.map((each) => each.wallet),
    )
  const action: Action = async (ledger, fresh, now, openBefore) => {
    if (await withdrawalsPaused(tx)) return fresh.map(() => refused('withdrawals_paused'))
    const locks = await readLocks(
      tx,
      fresh.map((each) => each.wallet),
      now,
    )
    const challenges = await lockedChallenges(tx, fresh, now)
    const needBudget = [...sumByWallet(fresh)].flatMap(([wallet, amount]) =>
      ledger.balances(wallet).deposited < amount ? [wallet] : [],
    )
    const withoutDeposit =
      needBudget.length > 0 ? await readWalletsWithoutDeposit(tx, needBudget) : new Set<string>()
    // Only requests that need earned credit lock the row of the day; deposited credit needs no budget.
    const day = needBudget.length > 0 ? await lockRewardDay(tx, { wallets: needBudget, now }) : null
    const newWithdrawals: NewWithdrawal[] = []
    const open = new Map(openBefore)

    const answers = fresh.map((request) => {
      const { wallet, amount, nonce, walletSignature, signedForm, traceparent = null } = request
      const locked = refuseLocked(locks.get(wallet), now)
      if (locked) return locked
      if (!challenges.delete(challengeName(request))) return refused('challenge_expired')
      const credit = ledger.balances(wallet)
      const left = withoutDeposit.has(wallet) ? ZERO : (day?.left(wallet) ?? ZERO)
      const taken = splitWithdrawal(credit, amount, left)
      const openCount = open.get(wallet) ?? 0
      if (openCount >= maxOpen) return refused('too_many_withdrawals', { open: openCount, most: maxOpen })
      if (!taken) {
        return refuseAmount({ credit, amount, budgetLeft: left, needsDeposit: withoutDeposit.has(wallet) })
      }
      open.set(wallet, openCount + 1)
      const id = randomUUID()
      day?.spend(wallet, taken.earned)
      const holdId = ledger.post({
        wallet,
        kind: 'withdrawal',
        at: now,
        detail: { withdrawalId: id },
        entries: holdEntries(wallet, taken),
      })
      const row: HeldWithdrawal = { id, wallet, ...taken, requestedAt: now }
      newWithdrawals.push({ ...row, holdId, nonce, walletSignature, signedForm, traceparent })
      return granted<ReplyOf<typeof requestWithdrawal>>({
        success: true,
        withdrawal: toWithdrawalView({ ...row, ...JUST_REQUESTED }),
        newBalance: toWire(totalOf(ledger.balances(wallet))),
      })
    })
    storeWithdrawals(tx, newWithdrawals, now)
    day?.write()
    return answers
  }
  return runOnce(tx, requests, clock, action, { lockAndRead })
}

type Action = Parameters<
  typeof runOnce<
    WithdrawalRequest,
    ReplyOf<typeof requestWithdrawal>,
    ReadonlyMap<string, number>,
    RefusalOf<typeof requestWithdrawal>
  >
>[3]

type NewWithdrawal = HeldWithdrawal & SignatureProof & { holdId: string; traceparent: string | null }

const JUST_REQUESTED = {
  state: 'requested',
  reason: null,
  reasons: [],
  signature: null,
  settledAt: null,
  cancelledAt: null,
} as const

const challengeName = ({
  wallet,
  amount,
  nonce,
}: Pick<WithdrawalRequest, 'wallet' | 'amount' | 'nonce'>): string => `${wallet} ${amount} ${nonce}`

async function lockedChallenges(
  tx: Tx,
  requests: readonly WithdrawalRequest[],
  now: Date,
): Promise<Set<string>> {
  const rows = await tx.rows(lockChallenges, { nonces: requests.map((each) => each.nonce) })
  return new Set(rows.filter((row) => row.expiresAt > now).map(challengeName))
}

function sumByWallet(requests: readonly WithdrawalRequest[]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { wallet, amount } of requests) sums.set(wallet, (sums.get(wallet) ?? 0n) + amount)
  return sums
}

function storeWithdrawals(tx: Tx, newWithdrawals: readonly NewWithdrawal[], now: Date): void {
  if (newWithdrawals.length === 0) return
  tx.send(consumeChallenges, { nonces: newWithdrawals.map((each) => each.nonce) })
  const held = newWithdrawals.map(({ holdId, walletSignature, signedForm, ...each }) => ({
    ...each,
    hold_id: holdId,
    wallet_signature: walletSignature,
    signed_form: signedForm,
  }))
  tx.send(addWithdrawals, { held, day: dayOf(now), now })
}
