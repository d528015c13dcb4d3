import { randomBytes } from 'node:crypto'
import { type Cotton, ZERO } from '#game/cotton.ts'
import { splitWithdrawal } from '#game/credit.ts'
import { type RequestedForm, whatToSign } from '#server/account/signed-forms/what-to-sign.ts'
import { readFreeze, refuseFrozen } from '#server/freeze/freeze-wallet.ts'
import { readBalance } from '#server/ledger/read-balance.ts'
import { refuse, replyOf } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Db, sql } from '#server/platform/db/db.ts'
import type { Site } from '#server/platform/site.ts'
import { DEFAULT_OPEN_PER_WALLET } from '#server/platform/withdrawal-settings.ts'
import { countOpen } from './count-open.ts'
import { readWalletsWithoutDeposit } from './read-wallets-without-deposit.ts'
import { refuseAmount } from './refuse-amount.ts'
import { readBudgetLeft } from './reward-day.ts'
import { readLock, refuseLocked } from './withdrawal-lock.ts'
import { withdrawalText } from './withdrawal-message.ts'
import { withdrawalsPaused } from './withdrawal-pause.ts'

const CHALLENGE_LIFE_MS = 5 * 60_000

const insertChallenge = sql({
  name: 'withdrawals-insert-challenge',
  params: { nonce: 'text', wallet: 'text', amount: 'bigint', expiresAt: 'timestamptz' },
  text: ({ nonce, wallet, amount, expiresAt }) =>
    `insert into withdrawal_challenges (nonce, wallet, amount, expires_at)
     values (${nonce}, ${wallet}, ${amount}, ${expiresAt})`,
})

/**
 * What a player signs for one withdrawal. It is valid once, for five minutes. Refuses early what the request would refuse,
 * so that nobody signs in vain: withdrawals_paused, wallet_frozen, withdrawals_locked, too_many_withdrawals, above_balance,
 * not_withdrawable, deposit_first.
 */
export async function challengeWithdrawal(
  {
    db,
    clock,
    site,
    maxOpen = DEFAULT_OPEN_PER_WALLET,
  }: { db: Db; clock: Clock; site: Site; maxOpen?: number },
  { wallet, amount, form }: { wallet: string; amount: Cotton; form?: RequestedForm },
): Promise<ReturnType<typeof whatToSign>> {
  const now = clock.now()
  if (await withdrawalsPaused(db)) refuse('withdrawals_paused')
  const freeze = await readFreeze(db, wallet)
  if (freeze) replyOf(refuseFrozen(freeze))
  const locked = refuseLocked(await readLock(db, wallet, now), now)
  if (locked) replyOf(locked)
  const open = (await countOpen(db, [wallet])).get(wallet) ?? 0
  if (open >= maxOpen) refuse('too_many_withdrawals', { open, most: maxOpen })
  const credit = await readBalance(db, wallet)
  const needsDeposit = (await readWalletsWithoutDeposit(db, [wallet])).has(wallet)
  const budgetLeft = needsDeposit ? ZERO : await readBudgetLeft(db, { wallet, now })
  if (!splitWithdrawal(credit, amount, budgetLeft)) {
    replyOf(refuseAmount({ credit, amount, budgetLeft, needsDeposit }))
  }
  const nonce = randomBytes(16).toString('hex')
  const expiresAt = new Date(now.getTime() + CHALLENGE_LIFE_MS)
  await db.rows(insertChallenge, { nonce, wallet, amount, expiresAt })
  return whatToSign(site, withdrawalText(site, { wallet, amount, nonce }), form)
}
