import type { KeyPairSigner } from '@solana/kit'
import { totalOf } from '#game/credit.ts'
import type { Address } from '#server/chain/port.ts'
import { areKnown } from '#server/chain/quorum.ts'
import { buildPayout, type SignedTransaction } from '#server/chain/transactions.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'
import { lockWithdrawal, type OpenPayout, readOpenPayouts } from '#server/withdrawals/open-withdrawals.ts'
import { type DecisionDeps, isDecided } from '../review/check-decision.ts'
import { findFailedCheck } from '../review/failed-check.ts'
import { trackFailedWithdrawals } from '../failed-withdrawals.ts'
import type { StepDeps } from '../step-deps.ts'
import { hasTimedOut } from './attempt-timeout.ts'
import type { SignedPayoutLog } from './signed-payout-log.ts'
import { readCappedUnitPrice, nextUnitPrice, type UnitPriceDeps } from './unit-price.ts'
import { withdrawalsPaused } from '#server/withdrawals/withdrawal-pause.ts'

const insertReplacement = sql({
  name: 'payouts-insert-replacement',
  params: {
    id: 'uuid',
    attempt: 'integer',
    signature: 'text',
    wire: 'bytea',
    unitPrice: 'bigint',
    at: 'timestamptz',
  },
  text: ({ id, attempt, signature, wire, unitPrice, at }) =>
    `insert into payout_replacements (withdrawal_id, attempt, signature, wire, unit_price, signed_at)
     values (${id}, ${attempt}, ${signature}, ${wire}, ${unitPrice}, ${at}) on conflict do nothing returning attempt`,
})

type ReplacePayoutsDeps = StepDeps &
  UnitPriceDeps &
  DecisionDeps & { treasury: KeyPairSigner; signed: SignedPayoutLog }

/**
 * Replaces payouts that no block included within their timeout: the same payout on the same nonce with a higher fee,
 * stored before it is sent. The attempt that lands uses up the nonce, so the others cannot land. At the cap, the last
 * attempt is sent until it lands.
 */
export async function replacePayouts(deps: ReplacePayoutsDeps): Promise<void> {
  const { db, clock, chain, settings } = deps
  const now = clock.now()
  const waiting = (await readOpenPayouts(db)).filter(
    ({ attempts }) =>
      hasTimedOut(attempts, now) && attempts.at(-1)!.unitPrice < settings.maxUnitPriceMicrolamports,
  )
  if (waiting.length === 0 || (await withdrawalsPaused(db))) return
  const known = await areKnown(
    chain,
    waiting.map((payout) => payout.signature),
  )
  const market = await readCappedUnitPrice(deps)
  const failed = trackFailedWithdrawals(deps)
  for (const [at, payout] of waiting.entries()) {
    if (known[at]) continue
    const last = payout.attempts.at(-1)!.unitPrice
    const unitPrice = nextUnitPrice({ last, market, cap: settings.maxUnitPriceMicrolamports })
    if (unitPrice !== null) await failed.isolate(payout.id, () => replaceOne(deps, payout, unitPrice))
  }
  failed.end()
}

async function replaceOne(deps: ReplacePayoutsDeps, payout: OpenPayout, unitPrice: bigint): Promise<void> {
  const { db, chain, treasury, clock, log, signed } = deps
  const { id, lane, attempts } = payout
  // If the nonce has advanced, one attempt has landed. The chain's history shows which.
  if ((await chain.nonceValue(lane.nonceAccount, 'processed')) !== lane.nonce) return
  const replacement: SignedTransaction = await buildPayout({
    token: chain.facts,
    treasury,
    lane,
    wallet: payout.wallet as Address,
    amount: payout.amount,
    id,
    unitPriceMicrolamports: unitPrice,
    opensAccount: payout.opensAccount,
  })
  const attempt = attempts.length + 1
  const stored = await db.transaction(async (tx) => {
    // Checked again, and last, as for a new payout: an operator may have paused withdrawals while the chain responded.
    if (!(await mayReplace(tx, deps, payout)) || (await withdrawalsPaused(tx))) return false
    const wire = Buffer.from(replacement.wire, 'base64')
    const { signature } = replacement
    const row = { id, attempt, signature, wire, unitPrice, at: clock.now() }
    if ((await tx.rows(insertReplacement, row)).length === 0) return false
    signed.append({ id, signature })
    return true
  })
  if (stored)
    log.warn(
      { withdrawal: id, attempt, unitPrice },
      'no block included a payout in time: it was replaced with a higher fee',
    )
}

/** Another signature over what the rows say: they are checked again, as of the first signature. */
async function mayReplace(tx: Tx, deps: ReplacePayoutsDeps, payout: OpenPayout): Promise<boolean> {
  const { site, log } = deps
  const { id, wallet, amount, attempts } = payout
  const locked = await lockWithdrawal(tx, id)
  if (locked?.state !== 'signed' && locked?.state !== 'sent') return false
  const now = attempts[0]!.signedAt
  const isSame = locked.wallet === wallet && totalOf(locked) === amount
  if (
    isSame &&
    (await isDecided(tx, deps, { withdrawal: locked, now })) &&
    (await findFailedCheck(tx, locked, { site, now })) === null
  )
    return true
  log.error({ withdrawal: id }, 'a payout is not replaced: its withdrawal no longer passes the checks')
  return false
}
