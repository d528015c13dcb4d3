import type { Address } from '#server/chain/port.ts'
import { buildPayout, type SignedTransaction } from '#server/chain/transactions.ts'
import { sql } from '#server/platform/db/db.ts'
import { lockWithdrawal, type OpenPayout, readOpenPayouts } from '#server/withdrawals/open-withdrawals.ts'
import type { Signer } from '../signer.ts'
import { readCappedUnitPrice, nextUnitPrice } from './unit-price.ts'
import { withdrawalsPaused } from '#server/withdrawals/withdrawal-pause.ts'

/** How long the first attempt is given; each later one twice as long as the one before. */
const FIRST_ATTEMPT_TIMEOUT_MS = 30_000

const insertReplacement = sql(
  'payouts-insert-replacement',
  `insert into payout_replacements (withdrawal_id, attempt, signature, wire, unit_price, signed_at)
   values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning attempt`,
)

/**
 * Offers more for payouts that no block has taken in their time: the same payout on the same nonce with a higher fee,
 * stored before it is sent. Whichever of them lands uses the nonce up, so the others never can. Where the cap is
 * reached, the last bytes are sent until they land.
 */
export async function replacePayouts(signer: Signer): Promise<void> {
  const { db, clock, chain, settings } = signer
  const now = clock.now().getTime()
  const waiting = (await readOpenPayouts(db)).filter(
    ({ attempts }) =>
      now - attempts.at(-1)!.signedAt.getTime() > FIRST_ATTEMPT_TIMEOUT_MS * 2 ** (attempts.length - 1) &&
      attempts.at(-1)!.unitPrice < settings.maxUnitPriceMicrolamports,
  )
  if (waiting.length === 0 || (await withdrawalsPaused(db))) return
  const statuses = await chain.statuses(waiting.map((payout) => payout.signature))
  const market = await readCappedUnitPrice(signer)
  for (const [at, payout] of waiting.entries()) {
    if (statuses[at]) continue
    const last = payout.attempts.at(-1)!.unitPrice
    const unitPrice = nextUnitPrice({ last, market, cap: settings.maxUnitPriceMicrolamports })
    if (unitPrice !== null) await replaceOne(signer, payout, unitPrice)
  }
}

async function replaceOne(signer: Signer, payout: OpenPayout, unitPrice: bigint): Promise<void> {
  const { db, chain, treasury, clock, log, signed } = signer
  const { id, lane, attempts } = payout
  // A nonce that has moved on means that one of them has landed: the chain's record says which.
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
    const locked = await lockWithdrawal(tx, id)
    if (locked?.state !== 'signed' && locked?.state !== 'sent') return false
    const wire = Buffer.from(replacement.wire, 'base64')
    const values = [id, attempt, replacement.signature, wire, unitPrice, clock.now()]
    if ((await tx.rows(insertReplacement, values)).length === 0) return false
    signed.append({ id, signature: replacement.signature })
    return true
  })
  if (stored)
    log.warn({ withdrawal: id, attempt, unitPrice }, 'no block took a payout in time: it offers more')
}
