import { randomUUID } from 'node:crypto'
import { type Cotton, toWire, ZERO } from '#game/cotton.ts'
import { holdLines, totalOf, withdrawal } from '#game/credit.ts'
import { actOnce, type Request } from '#server/actions/act-once.ts'
import { type Answer, granted, refused } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'
import { OPEN_PER_WALLET } from '#server/platform/withdrawal-settings.ts'
import { countOpen } from './count-open.ts'
import { walletsWithoutDeposit } from './deposit-first.ts'
import { type Held, onWire, type WithdrawalOnWire } from './read-withdrawals.ts'
import { refuseAmount } from './refuse-amount.ts'
import type { Proof } from './require-signed.ts'
import { dayOf, lockRewardDay } from './reward-day.ts'
import { withdrawalsPaused } from './withdrawal-switch.ts'

/** A request whose signature over its own challenge has been verified; the signer verifies it again by itself. */
export type Withdrawing = Request & { amount: Cotton } & Proof

export type WithdrawingReply = { success: true; withdrawal: WithdrawalOnWire; newBalance: number }

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
  requests: readonly Withdrawing[],
  clock: Clock,
  mostOpen = OPEN_PER_WALLET,
): Promise<Answer<WithdrawingReply>[]> {
  // Counted behind the locks of the accounts, so that requests at once cannot pass the limit together.
  const hold = () =>
    countOpen(
      tx,
      requests.map((each) => each.wallet),
    )
  const act: Act = async (book, fresh, now, openBefore) => {
    if (await withdrawalsPaused(tx)) return fresh.map(() => refused('withdrawals_paused'))
    const challenges = await lockedChallenges(tx, fresh, now)
    const wanting = [...askedByWallet(fresh)].flatMap(([wallet, amount]) =>
      book.purse(wallet).deposited < amount ? [wallet] : [],
    )
    const barred = wanting.length > 0 ? await walletsWithoutDeposit(tx, wanting) : new Set<string>()
    // Deposited credit needs no budget, so only who reaches into earned credit waits for the day's row.
    const day = wanting.length > 0 ? await lockRewardDay(tx, { wallets: wanting, now }) : null
    const held: Holding[] = []
    const open = new Map(openBefore)

    const answers = fresh.map((request) => {
      const { wallet, amount, nonce, walletSignature } = request
      if (!challenges.delete(challengeName(request))) return refused('challenge_expired')
      const purse = book.purse(wallet)
      const left = barred.has(wallet) ? ZERO : (day?.left(wallet) ?? ZERO)
      const taken = withdrawal(purse, amount, left)
      const mine = open.get(wallet) ?? 0
      if (mine >= mostOpen) return refused('too_many_withdrawals', { open: mine, most: mostOpen })
      if (!taken) {
        return refuseAmount({ purse, amount, budgetLeft: left, needsDeposit: barred.has(wallet) })
      }
      open.set(wallet, mine + 1)
      const id = randomUUID()
      day?.spend(wallet, taken.earned)
      const lines = holdLines(wallet, taken)
      const holdId = book.post({ wallet, kind: 'withdrawal', at: now, detail: { withdrawalId: id }, lines })
      const row: Held = { id, wallet, ...taken, requestedAt: now }
      held.push({ ...row, holdId, nonce, walletSignature })
      return granted<WithdrawingReply>({
        success: true,
        withdrawal: onWire({ ...row, ...JUST_REQUESTED }),
        newBalance: toWire(totalOf(book.purse(wallet))),
      })
    })
    await keep(tx, held, now)
    await day?.close()
    return answers
  }
  return actOnce(tx, requests, clock, act, { hold })
}

type Act = Parameters<typeof actOnce<Withdrawing, WithdrawingReply, ReadonlyMap<string, number>>>[3]

type Holding = Held & Proof & { holdId: string }

const JUST_REQUESTED = {
  state: 'requested',
  reason: null,
  reasons: [],
  signature: null,
  settledAt: null,
} as const

const challengeName = ({ wallet, amount, nonce }: Pick<Withdrawing, 'wallet' | 'amount' | 'nonce'>): string =>
  `${wallet} ${amount} ${nonce}`

async function lockedChallenges(tx: Tx, requests: readonly Withdrawing[], now: Date): Promise<Set<string>> {
  type Row = { nonce: string; wallet: string; amount: Cotton; expires_at: Date }
  const rows = await tx.rows<Row>(lockChallenges, [requests.map((each) => each.nonce)])
  return new Set(rows.filter((row) => row.expires_at > now).map(challengeName))
}

function askedByWallet(requests: readonly Withdrawing[]): Map<string, bigint> {
  const asked = new Map<string, bigint>()
  for (const { wallet, amount } of requests) asked.set(wallet, (asked.get(wallet) ?? 0n) + amount)
  return asked
}

async function keep(tx: Tx, held: readonly Holding[], now: Date): Promise<void> {
  if (held.length === 0) return
  await tx.rows(takeChallenges, [held.map((each) => each.nonce)])
  await tx.rows(addWithdrawals, [
    held.map((each) => each.id),
    held.map((each) => each.wallet),
    held.map((each) => each.deposited),
    held.map((each) => each.earned),
    held.map((each) => each.holdId),
    held.map((each) => each.nonce),
    held.map((each) => each.walletSignature),
    dayOf(now),
    now,
  ])
}
