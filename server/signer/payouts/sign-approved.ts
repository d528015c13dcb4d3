import type { KeyPairSigner } from '@solana/kit'
import { totalOf } from '#game/credit.ts'
import type { WithdrawalReason } from '#contract/withdrawal-reasons.ts'
import { readAgreedNonce } from '#server/chain/quorum.ts'
import type { Address, Nonce } from '#server/chain/port.ts'
import { buildPayout, type SignedTransaction } from '#server/chain/transactions.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { type DecisionDeps, isDecided } from '../review/check-decision.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { findFailedCheck, FAILED_CHECK_MESSAGES, type FailedCheck } from '../review/failed-check.ts'
import {
  explainWaiting,
  lockWithdrawal,
  LONGEST_RETRY_MS,
  moveWithdrawal,
  type OpenWithdrawal,
  postponeWithdrawal,
  readOpenPayouts,
  readPayable,
} from '#server/withdrawals/open-withdrawals.ts'
import { readTreasuryFunds, type TreasuryFunds } from './read-treasury-funds.ts'
import { readTokenAccounts, type Recipient, resolveRecipient } from './recipient.ts'
import { PLAYER_REASONS } from '#server/withdrawals/player-reasons.ts'
import { isReserveCovered } from '#server/withdrawals/reserve-standing.ts'
import type { Lanes } from '../nonces/renew-lanes.ts'
import { trackFailedWithdrawals } from '../failed-withdrawals.ts'
import type { StepDeps } from '../step-deps.ts'
import type { SignedPayoutLog } from './signed-payout-log.ts'
import type { UnitPriceDeps } from './unit-price.ts'
import type { WithdrawalSettings } from '#server/platform/withdrawal-settings.ts'
import { withdrawalsPaused } from '#server/withdrawals/withdrawal-pause.ts'

type Lane = { lane: number; nonceAccount: Address }

const readFreeLanes = sql({
  name: 'lanes-read-free',
  params: { count: 'integer' },
  row: rowOf<Lane>(),
  text: ({ count }) =>
    `select lane, nonce_account as "nonceAccount" from lanes
     where withdrawal_id is null and lane <= ${count} order by lane`,
})

const takeLane = sql({
  name: 'lanes-take',
  params: { lane: 'integer', id: 'uuid' },
  text: ({ lane, id }) =>
    `update lanes set withdrawal_id = ${id} where lane = ${lane} and withdrawal_id is null returning lane`,
})

// Unique by withdrawal and by nonce: these two constraints make a second payout impossible.
const insertPayout = sql({
  name: 'payouts-insert',
  params: {
    id: 'uuid',
    lane: 'integer',
    nonce: 'text',
    signature: 'text',
    wire: 'bytea',
    at: 'timestamptz',
    unitPrice: 'bigint',
    opensAccount: 'boolean',
  },
  text: (
    of,
  ) => `insert into payouts (withdrawal_id, lane, nonce, signature, wire, signed_at, unit_price, opens_account)
    values (${of.id}, ${of.lane}, ${of.nonce}, ${of.signature}, ${of.wire}, ${of.at}, ${of.unitPrice},
      ${of.opensAccount})
    on conflict do nothing returning withdrawal_id`,
})

type SignApprovedDeps = StepDeps &
  UnitPriceDeps &
  DecisionDeps & {
    /** Signs the payouts. */
    treasury: KeyPairSigner
    signed: SignedPayoutLog
    lanes: Lanes
    settings: Pick<WithdrawalSettings, 'payoutLanes'>
  }

/**
 * Signs approved withdrawals, oldest first, each on a free lane, and stores signature and bytes. It sends nothing: a
 * payout that was not stored is discarded. A withdrawal that cannot be paid now is retried with exponential backoff,
 * does not delay the others, and the player sees the reason.
 */
export async function signApproved(deps: SignApprovedDeps): Promise<void> {
  const { db, chain, clock, settings } = deps
  const approved = await readPayable(db, clock.now())
  if (approved.length === 0 || (await withdrawalsPaused(db))) return
  if (!(await isSigningAllowed(deps, db))) return explainWaiting(db, 'reserve_unseen')
  const lanes = await db.rows(readFreeLanes, { count: settings.payoutLanes })
  if (lanes.length === 0) return
  const open = await readOpenPayouts(db)
  const funds = await readTreasuryFunds(deps, open)
  const opening = new Set(open.filter((payout) => payout.opensAccount).map((payout) => payout.wallet))
  const accounts = await readTokenAccounts(chain, new Set(approved.map((each) => each.wallet)))
  const failed = trackFailedWithdrawals(deps)
  for (const withdrawal of approved) {
    const { id, wallet } = withdrawal
    await failed.isolate(id, async () => {
      const [lane] = lanes
      if (!lane) return
      if (!(await isDecided(db, deps, { withdrawal, now: clock.now() })))
        return moveToReview(deps, id, 'not_approved')
      const recipient = await resolveRecipient(
        deps,
        { wallet, account: accounts.get(wallet) ?? null },
        opening,
      )
      if (recipient.state === 'waits') return postpone(deps, withdrawal, recipient.reason)
      if (!canAfford(funds, withdrawal, recipient)) return postpone(deps, withdrawal, 'treasury_short')
      await signOne(deps, { withdrawal, lane, recipient, funds, opening })
      // If that failed, the next withdrawal uses the lane.
      lanes.shift()
    })
  }
  failed.end()
}

const isSigningAllowed = (
  { chain, clock }: Pick<StepDeps, 'chain' | 'clock'>,
  db: Queryable,
): Promise<boolean> => isReserveCovered(db, { cluster: chain.facts.cluster, now: clock.now() })

const canAfford = (funds: TreasuryFunds, withdrawal: OpenWithdrawal, { opensAccount }: Recipient): boolean =>
  totalOf(withdrawal) <= funds.tokens && funds.costOf(opensAccount) <= funds.lamports

/** Delay of the first retry. Each later delay is twice the previous one. */
const FIRST_RETRY_MS = 1_000

/** The longest delay. Withdrawals that only the wallet's owner can unblock are retried less often. */
const LONGEST_DELAY_MS = { ours: 60_000, theirs: LONGEST_RETRY_MS }

async function postpone(
  { db, clock, log }: Pick<StepDeps, 'db' | 'clock' | 'log'>,
  { id, reasons, tries }: OpenWithdrawal,
  reason: WithdrawalReason,
): Promise<void> {
  const isSameReason = reasons[0] === reason
  if (!isSameReason) log.warn({ withdrawal: id, reason }, 'a withdrawal cannot be paid yet')
  const newTries = isSameReason ? tries + 1 : 1
  const longest = PLAYER_REASONS.has(reason) ? LONGEST_DELAY_MS.theirs : LONGEST_DELAY_MS.ours
  const waitMs = Math.min(FIRST_RETRY_MS * 2 ** (newTries - 1), longest)
  const retryAt = new Date(clock.now().getTime() + waitMs)
  await postponeWithdrawal(db, { id, reason, tries: newTries, retryAt })
}

type Signing = {
  withdrawal: OpenWithdrawal
  lane: Lane
  recipient: Recipient
  funds: TreasuryFunds
  opening: Set<string>
}

async function signOne(
  deps: SignApprovedDeps,
  { withdrawal, lane, recipient, funds, opening }: Signing,
): Promise<void> {
  const { chain, treasury, lanes, log } = deps
  const { id, wallet } = withdrawal
  // Read at finalized, because a fork could revert a newer nonce together with its block. Not older than the renewal of
  // the lane, because a payout on a used nonce never lands: a false nonce would block lane and payout.
  const renewal = lanes.get(lane.lane)
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
    await storePayout(deps, { id, wallet, lane, nonce, payout, unitPrice: funds.unitPrice, opensAccount })
    funds.tokens -= totalOf(withdrawal)
    funds.lamports -= funds.costOf(opensAccount)
    if (opensAccount) opening.add(wallet)
  } catch (error) {
    if (error instanceof CheckFailed) await moveToReview(deps, id, error.failedCheck)
    else if (error instanceof SigningAborted) log.warn({ withdrawal: id, lane: lane.lane }, error.message)
    else throw error
  }
}

/** The transaction was rolled back. The signed bytes were neither stored nor sent. */
class SigningAborted extends Error {}

const SIGNING_CHECK_MESSAGES = {
  ...FAILED_CHECK_MESSAGES,
  not_approved: 'neither the policy nor enough operators have approved this withdrawal',
}
type SigningCheck = FailedCheck | 'not_approved'

/** The withdrawal was approved, but a check fails now. */
class CheckFailed extends Error {
  readonly failedCheck: SigningCheck
  constructor(failedCheck: SigningCheck) {
    super(SIGNING_CHECK_MESSAGES[failedCheck])
    this.failedCheck = failedCheck
  }
}

async function moveToReview(
  { db, log }: Pick<StepDeps, 'db' | 'log'>,
  id: string,
  failedCheck: SigningCheck,
): Promise<void> {
  log.error({ withdrawal: id, failedCheck }, SIGNING_CHECK_MESSAGES[failedCheck])
  await moveWithdrawal(db, { id, from: 'approved', to: 'review', reasons: [failedCheck] })
}

type PayoutToStore = {
  id: string
  wallet: string
  lane: Lane
  nonce: Nonce
  payout: SignedTransaction
  unitPrice: bigint
  opensAccount: boolean
}

async function storePayout(deps: SignApprovedDeps, toStore: PayoutToStore): Promise<void> {
  const { db, clock, signed, site } = deps
  const { id, wallet, nonce, unitPrice, opensAccount } = toStore
  const { lane } = toStore.lane
  const { signature } = toStore.payout
  await db.transaction(async (tx) => {
    // A freeze of the wallet takes these locks, too: it happens before this check or after the payout is stored.
    await openLedger(tx, [wallet])
    const locked = await lockWithdrawal(tx, id)
    if (locked?.state !== 'approved') throw new SigningAborted('a withdrawal is no longer approved')
    if (locked.cancelledAt !== null) throw new SigningAborted('a withdrawal was cancelled by its player')
    const now = clock.now()
    if (!(await isDecided(tx, deps, { withdrawal: locked, now }))) throw new CheckFailed('not_approved')
    const failedCheck = await findFailedCheck(tx, locked, { site, now })
    if (failedCheck) throw new CheckFailed(failedCheck)
    // Checked again, and last: an operator may have paused withdrawals while the chain responded, or while the balances of a
    // wallet with millions of entries were compared.
    if (await withdrawalsPaused(tx)) throw new SigningAborted('withdrawals were paused')
    if (!(await isSigningAllowed(deps, tx))) throw new SigningAborted('the reserve was not checked recently')
    const wire = Buffer.from(toStore.payout.wire, 'base64')
    const row = { id, lane, nonce, signature, wire, at: clock.now(), unitPrice, opensAccount }
    if ((await tx.rows(insertPayout, row)).length === 0)
      throw new SigningAborted('the nonce was already used')
    await moveWithdrawal(tx, { id, from: 'approved', to: 'signed' })
    if ((await tx.rows(takeLane, { lane, id })).length === 0) throw new SigningAborted('the lane is taken')
    signed.append({ id, signature })
  })
}
