import { totalOf } from '#game/credit.ts'
import type { WithdrawalReason } from '#contract/withdrawal-reasons.ts'
import { readAgreedNonce } from '#server/chain/quorum.ts'
import type { Address, Nonce } from '#server/chain/port.ts'
import { buildPayout, type SignedTransaction } from '#server/chain/transactions.ts'
import { type Queryable, sql } from '#server/platform/db/db.ts'
import { findFailedCheck, FAILED_CHECK_MESSAGES, type FailedCheck } from '../review/failed-check.ts'
import {
  explainWaiting,
  lockWithdrawal,
  moveWithdrawal,
  type OpenPayout,
  type OpenWithdrawal,
  postponeWithdrawal,
  readOpenPayouts,
  readPayable,
} from '#server/withdrawals/open-withdrawals.ts'
import { readTreasuryFunds, type TreasuryFunds } from './read-treasury-funds.ts'
import { readTokenAccounts, type Recipient, resolveRecipient } from './recipient.ts'
import { isReserveCovered } from '#server/withdrawals/reserve-standing.ts'
import type { Signer } from '../signer.ts'
import { withdrawalsPaused } from '#server/withdrawals/withdrawal-pause.ts'

type Lane = { lane: number; nonceAccount: Address }

const readFreeLanes = sql(
  'lanes-read-free',
  'select lane, nonce_account as "nonceAccount" from lanes where withdrawal_id is null order by lane',
)

const takeLane = sql(
  'lanes-take',
  'update lanes set withdrawal_id = $2 where lane = $1 and withdrawal_id is null returning lane',
)

// One payout for a withdrawal and one for a nonce: the two rules that make a second one impossible.
const insertPayout = sql(
  'payouts-insert',
  `insert into payouts (withdrawal_id, lane, nonce, signature, wire, signed_at, unit_price, opens_account)
   values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning withdrawal_id`,
)

/**
 * Signs approved withdrawals, oldest first, each on a free lane, and stores signature and bytes. Nothing is sent here:
 * what is not stored was never signed. One that cannot be paid right now is tried again later, ever less often, and its
 * player reads why; it takes no place from the others.
 */
export async function signApproved(signer: Signer): Promise<void> {
  const { db, chain, clock } = signer
  const approved = await readPayable(db, clock.now())
  if (approved.length === 0 || (await withdrawalsPaused(db))) return
  if (!(await isSigningAllowed(signer, db))) return explainWaiting(db, 'reserve_unseen')
  const lanes = await db.rows<Lane>(readFreeLanes)
  if (lanes.length === 0) return
  const open = await readOpenPayouts(db)
  const funds = await readTreasuryFunds(signer, open)
  const accounts = await readTokenAccounts(chain, new Set(approved.map((each) => each.wallet)))
  for (const withdrawal of approved) {
    if (lanes.length === 0) return
    const { wallet } = withdrawal
    const recipient = await resolveRecipient(signer, { wallet, account: accounts.get(wallet) ?? null }, open)
    if (recipient.state === 'waits') await postpone(signer, withdrawal, recipient.reason)
    else if (!canAfford(funds, withdrawal, recipient)) await postpone(signer, withdrawal, 'treasury_short')
    else await signOne(signer, { withdrawal, lane: lanes.shift()!, recipient, funds, open })
  }
}

const isSigningAllowed = ({ chain, clock }: Signer, tx: Queryable): Promise<boolean> =>
  isReserveCovered(tx, { cluster: chain.facts.cluster, now: clock.now() })

const canAfford = (funds: TreasuryFunds, withdrawal: OpenWithdrawal, { opensAccount }: Recipient): boolean =>
  totalOf(withdrawal) <= funds.tokens && funds.costOf(opensAccount) <= funds.lamports

/** The first try comes again after so long, every later one after twice as long as the one before. */
const FIRST_RETRY_MS = 1_000

/** And never after longer than this: what only the wallet's owner can put right is looked at less often. */
const LONGEST_RETRY_MS = { ours: 60_000, theirs: 10 * 60_000 }

const OWNER_REASONS: ReadonlySet<WithdrawalReason> = new Set(['account_closed', 'account_unusable'])

async function postpone(
  { db, clock, log }: Signer,
  { id, reasons, tries }: OpenWithdrawal,
  reason: WithdrawalReason,
): Promise<void> {
  const isSameReason = reasons[0] === reason
  if (!isSameReason) log.warn({ withdrawal: id, reason }, 'this withdrawal waits')
  const tried = isSameReason ? tries + 1 : 1
  const longest = OWNER_REASONS.has(reason) ? LONGEST_RETRY_MS.theirs : LONGEST_RETRY_MS.ours
  const waitMs = Math.min(FIRST_RETRY_MS * 2 ** (tried - 1), longest)
  const retryAt = new Date(clock.now().getTime() + waitMs)
  await postponeWithdrawal(db, { id, reason, tries: tried, retryAt })
}

type Signing = {
  withdrawal: OpenWithdrawal
  lane: Lane
  recipient: Recipient
  funds: TreasuryFunds
  open: OpenPayout[]
}

async function signOne(signer: Signer, { withdrawal, lane, recipient, funds, open }: Signing): Promise<void> {
  const { chain, treasury, log } = signer
  const { id, wallet } = withdrawal
  // At finalized, because a nonce that is newer could be taken back together with its block; and not from before the
  // lane was made safe, because nothing that is signed over a used nonce ever lands: a lie would keep lane and payout.
  const renewal = signer.lanes.get(lane.lane)
  const nonce = await readAgreedNonce(chain, lane.nonceAccount, { notBefore: renewal?.safeSince ?? 0n })
  if (nonce === null || renewal?.advances.has(nonce)) return
  const { opensAccount } = recipient
  const payout = await buildPayout({
    token: chain.facts,
    treasury,
    lane: { nonceAccount: lane.nonceAccount, nonce },
    wallet: wallet as Address,
    amount: totalOf(withdrawal),
    id,
    unitPriceMicrolamports: funds.unitPrice,
    opensAccount,
  })
  try {
    await storePayout(signer, { id, lane, nonce, payout, unitPrice: funds.unitPrice, opensAccount })
    funds.tokens -= totalOf(withdrawal)
    funds.lamports -= funds.costOf(opensAccount)
    if (opensAccount) open.push(...(await readOpenPayouts(signer.db)).filter((each) => each.id === id))
  } catch (error) {
    if (error instanceof CheckFailed) await moveToReview(signer, id, error.failedCheck)
    else if (error instanceof SigningAborted) log.warn({ withdrawal: id, lane: lane.lane }, error.message)
    else throw error
  }
}

/** Nothing was kept of it: the bytes are forgotten and were never sent. */
class SigningAborted extends Error {}

/** Approved, and yet the books do not bear it out any more. */
class CheckFailed extends Error {
  readonly failedCheck: FailedCheck
  constructor(failedCheck: FailedCheck) {
    super(FAILED_CHECK_MESSAGES[failedCheck])
    this.failedCheck = failedCheck
  }
}

async function moveToReview({ db, log }: Signer, id: string, failedCheck: FailedCheck): Promise<void> {
  log.error({ withdrawal: id, doubt: failedCheck }, FAILED_CHECK_MESSAGES[failedCheck])
  await moveWithdrawal(db, { id, from: 'approved', to: 'review', reasons: [failedCheck] })
}

type PayoutToStore = {
  id: string
  lane: Lane
  nonce: Nonce
  payout: SignedTransaction
  unitPrice: bigint
  opensAccount: boolean
}

async function storePayout(signer: Signer, toStore: PayoutToStore): Promise<void> {
  const { db, clock, signed, site } = signer
  const { id, lane, nonce, payout, unitPrice, opensAccount } = toStore
  await db.transaction(async (tx) => {
    const locked = await lockWithdrawal(tx, id)
    if (locked?.state !== 'approved') throw new SigningAborted('is no longer approved')
    // Asked again here, because the chain's answers took their time and the operator may have paused since.
    if (await withdrawalsPaused(tx)) throw new SigningAborted('withdrawals were paused')
    if (!(await isSigningAllowed(signer, tx))) throw new SigningAborted('nobody has seen the reserve lately')
    const failedCheck = await findFailedCheck(tx, locked, { site, now: clock.now() })
    if (failedCheck) throw new CheckFailed(failedCheck)
    const wire = Buffer.from(payout.wire, 'base64')
    const values = [id, lane.lane, nonce, payout.signature, wire, clock.now(), unitPrice, opensAccount]
    if ((await tx.rows(insertPayout, values)).length === 0)
      throw new SigningAborted('the nonce was used before')
    await moveWithdrawal(tx, { id, from: 'approved', to: 'signed' })
    if ((await tx.rows(takeLane, [lane.lane, id])).length === 0) throw new SigningAborted('the lane is taken')
    signed.append({ id, signature: payout.signature })
  })
}
