import { totalOf } from '#game/credit.ts'
import type { Address, Nonce } from '#server/chain/port.ts'
import { buildPayout, type Signed } from '#server/chain/transactions.ts'
import { sql } from '#server/platform/db/db.ts'
import { isHeld } from './check-hold.ts'
import { isOrdinaryWallet } from './destination.ts'
import {
  lockWithdrawal,
  moveWithdrawal,
  type OpenWithdrawal,
  readOpenPayouts,
  readWithdrawalsIn,
} from './open-withdrawals.ts'
import type { Signer } from './signer.ts'
import { withdrawalsPaused } from './withdrawal-switch.ts'

type Lane = { lane: number; nonceAccount: Address }

const readFree = sql(
  'lanes-read-free',
  'select lane, nonce_account as "nonceAccount" from lanes where withdrawal_id is null order by lane',
)

const takeLane = sql(
  'lanes-take',
  'update lanes set withdrawal_id = $2 where lane = $1 and withdrawal_id is null returning lane',
)

// One payout for a withdrawal and one for a nonce: the two rules that make a second one impossible.
const keepPayout = sql(
  'payouts-keep',
  `insert into payouts (withdrawal_id, lane, nonce, signature, wire, signed_at)
   values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning withdrawal_id`,
)

/**
 * Signs approved withdrawals, oldest first, each on a free lane, and stores signature and bytes. Nothing is sent here:
 * what is not stored was never signed. One that the treasury cannot pay right now waits, smaller ones go on.
 */
export async function signApproved(signer: Signer): Promise<void> {
  const { db, chain, treasuryTokens } = signer
  const approved = await readWithdrawalsIn(db, 'approved')
  if (approved.length === 0 || (await withdrawalsPaused(db))) return
  const lanes = await db.rows<Lane>(readFree)
  const onTheirWay = (await readOpenPayouts(db)).reduce((sum, payout) => sum + payout.amount, 0n)
  let available = (await chain.tokenBalance(treasuryTokens, 'finalized')) - onTheirWay
  for (const withdrawal of approved) {
    if (lanes.length === 0) return
    const amount = totalOf(withdrawal)
    if (amount > available) {
      await wait(signer, withdrawal)
      continue
    }
    if (await signOne(signer, withdrawal, lanes.shift()!)) available -= amount
  }
}

const TREASURY_SHORT = 'The treasury is being refilled. Your withdrawal goes out as soon as it is.'

async function wait({ db, log }: Signer, { id, reason }: OpenWithdrawal): Promise<void> {
  if (reason === TREASURY_SHORT) return
  log.warn({ withdrawal: id }, 'the treasury is short: this withdrawal waits')
  await moveWithdrawal(db, { id, from: 'approved', to: 'approved', reason: TREASURY_SHORT })
}

async function signOne(signer: Signer, withdrawal: OpenWithdrawal, lane: Lane): Promise<boolean> {
  const { chain, treasury } = signer
  // At finalized, because a nonce that is newer could be taken back together with its block.
  const nonce = await chain.nonceValue(lane.nonceAccount, 'finalized')
  if (nonce === null) return false
  const payout = await buildPayout({
    token: chain.facts,
    treasury,
    lane: { nonceAccount: lane.nonceAccount, nonce },
    wallet: withdrawal.wallet as Address,
    amount: totalOf(withdrawal),
    id: withdrawal.id,
  })
  try {
    await keep(signer, { withdrawal, lane, nonce, payout })
    return true
  } catch (error) {
    if (!(error instanceof NotSigned)) throw error
    signer.log.warn({ withdrawal: withdrawal.id, lane: lane.lane }, error.message)
    return false
  }
}

/** Nothing was kept of it: the bytes are forgotten and were never sent. */
class NotSigned extends Error {}

async function keep(
  { db, clock }: Signer,
  {
    withdrawal,
    lane,
    nonce,
    payout,
  }: { withdrawal: OpenWithdrawal; lane: Lane; nonce: Nonce; payout: Signed },
): Promise<void> {
  const { id } = withdrawal
  await db.transaction(async (tx) => {
    const locked = await lockWithdrawal(tx, id)
    if (locked?.state !== 'approved') throw new NotSigned('is no longer approved')
    // Asked again here, because the chain's answers took their time and the operator may have paused since.
    if (await withdrawalsPaused(tx)) throw new NotSigned('withdrawals were paused')
    if (!(await isHeld(tx, locked))) throw new NotSigned('is not held by the ledger')
    if (!isOrdinaryWallet(locked.wallet)) throw new NotSigned('goes to no ordinary wallet')
    const wire = Buffer.from(payout.wire, 'base64')
    const values = [id, lane.lane, nonce, payout.signature, wire, clock.now()]
    if ((await tx.rows(keepPayout, values)).length === 0) throw new NotSigned('the nonce was used before')
    await moveWithdrawal(tx, { id, from: 'approved', to: 'signed' })
    if ((await tx.rows(takeLane, [lane.lane, id])).length === 0) throw new NotSigned('the lane is taken')
  })
}
