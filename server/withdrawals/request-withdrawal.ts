import { randomUUID } from 'node:crypto'
import { type Cotton, toWire, ZERO } from '#game/cotton.ts'
import { holdEntries, totalOf, splitWithdrawal } from '#game/credit.ts'
import { runOnce, type ActionRequest } from '#server/actions/run-once.ts'
import { type Answer, granted, refused } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'
import { DEFAULT_OPEN_PER_WALLET } from '#server/platform/withdrawal-settings.ts'
import { countOpen } from './count-open.ts'
import { readWalletsWithoutDeposit } from './read-wallets-without-deposit.ts'
import { type HeldWithdrawal, toWithdrawalView, type WithdrawalView } from './read-withdrawals.ts'
import { refuseAmount } from './refuse-amount.ts'
import type { SignatureProof } from './verify-signed-message.ts'
import { dayOf, lockRewardDay } from './reward-day.ts'
import { withdrawalsPaused } from './withdrawal-pause.ts'

/** A request whose signature over its own challenge has been verified; the signer verifies it again by itself. */
export type WithdrawalRequest = ActionRequest & { amount: Cotton } & SignatureProof

export type WithdrawalReply = { success: true; withdrawal: WithdrawalView; newBalance: number }

const lockChallenges = sql(
  'withdrawals-lock-challenges',
  `select nonce, wallet, amount, expires_at from withdrawal_challenges
   where nonce = any($1::text[]) order by nonce for update`,
)

const takeChallenges = sql(
  'withdrawals-take-challenges',
  'delete from withdrawal_challenges where nonce = any($1::text[])',
)

const addWithdrawals = sql(
  'withdrawals-add',
  `insert into withdrawals (id, wallet, deposited, earned, hold_id, nonce, wallet_signature, day, requested_at)
   select id, wallet, deposited, earned, hold_id, nonce, wallet_signature, $8::date, $9
   from unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::uuid[], $6::text[], $7::bytea[])
     as held (id, wallet, deposited, earned, hold_id, nonce, wallet_signature)`,
)

/**
 * Holds withdrawals: many requests in, one answer each, in their order. The tokens are held in the ledger in the same
 * transaction that uses up the challenge, so a replay finds neither.
 */
export async function requestWithdrawals(
  tx: Tx,
  requests: readonly WithdrawalRequest[],
  clock: Clock,
  maxOpen = DEFAULT_OPEN_PER_WALLET,
): Promise<Answer<WithdrawalReply>[]> {
  // Counted behind the locks of the accounts, so that requests at once cannot pass the limit together.
  const lockAndRead = () =>
    countOpen(
      tx,
      requests.map((each) => each.wallet),
    )
  const action: Action = async (book, fresh, now, openBefore) => {
    if (await withdrawalsPaused(tx)) return fresh.map(() => refused('withdrawals_paused'))
    const challenges = await lockedChallenges(tx, fresh, now)
    const needBudget = [...askedByWallet(fresh)].flatMap(([wallet, amount]) =>
      book.balances(wallet).deposited < amount ? [wallet] : [],
    )
    const withoutDeposit =
      needBudget.length > 0 ? await readWalletsWithoutDeposit(tx, needBudget) : new Set<string>()
    // Deposited credit needs no budget, so only who reaches into earned credit waits for the day's row.
    const day = needBudget.length > 0 ? await lockRewardDay(tx, { wallets: needBudget, now }) : null
    const newWithdrawals: NewWithdrawal[] = []
    const open = new Map(openBefore)

    const answers = fresh.map((request) => {
      const { wallet, amount, nonce, walletSignature } = request
      if (!challenges.delete(challengeName(request))) return refused('challenge_expired')
      const credit = book.balances(wallet)
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
      const entries = holdEntries(wallet, taken)
      const holdId = book.post({ wallet, kind: 'withdrawal', at: now, detail: { withdrawalId: id }, entries })
      const row: HeldWithdrawal = { id, wallet, ...taken, requestedAt: now }
      newWithdrawals.push({ ...row, holdId, nonce, walletSignature })
      return granted<WithdrawalReply>({
        success: true,
        withdrawal: toWithdrawalView({ ...row, ...JUST_REQUESTED }),
        newBalance: toWire(totalOf(book.balances(wallet))),
      })
    })
    await storeWithdrawals(tx, newWithdrawals, now)
    await day?.write()
    return answers
  }
  return runOnce(tx, requests, clock, action, { lockAndRead })
}

type Action = Parameters<typeof runOnce<WithdrawalRequest, WithdrawalReply, ReadonlyMap<string, number>>>[3]

type NewWithdrawal = HeldWithdrawal & SignatureProof & { holdId: string }

const JUST_REQUESTED = {
  state: 'requested',
  reason: null,
  reasons: [],
  signature: null,
  settledAt: null,
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
  type Row = { nonce: string; wallet: string; amount: Cotton; expires_at: Date }
  const rows = await tx.rows<Row>(lockChallenges, [requests.map((each) => each.nonce)])
  return new Set(rows.filter((row) => row.expires_at > now).map(challengeName))
}

function askedByWallet(requests: readonly WithdrawalRequest[]): Map<string, bigint> {
  const asked = new Map<string, bigint>()
  for (const { wallet, amount } of requests) asked.set(wallet, (asked.get(wallet) ?? 0n) + amount)
  return asked
}

async function storeWithdrawals(tx: Tx, newWithdrawals: readonly NewWithdrawal[], now: Date): Promise<void> {
  if (newWithdrawals.length === 0) return
  await tx.rows(takeChallenges, [newWithdrawals.map((each) => each.nonce)])
  await tx.rows(addWithdrawals, [
    newWithdrawals.map((each) => each.id),
    newWithdrawals.map((each) => each.wallet),
    newWithdrawals.map((each) => each.deposited),
    newWithdrawals.map((each) => each.earned),
    newWithdrawals.map((each) => each.holdId),
    newWithdrawals.map((each) => each.nonce),
    newWithdrawals.map((each) => each.walletSignature),
    dayOf(now),
    now,
  ])
}
