import { isSignedBy } from '#server/account/wallet-signature.ts'
import type { Chain, RejectReason, Signature, Wire } from '#server/chain/port.ts'
import { readTransfer } from '#server/chain/read-transaction.ts'
import { refuse } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Db, sql } from '#server/platform/db/db.ts'
import { messageHash } from './prepare-deposit.ts'

/** Longer than a blockhash is valid: 150 blocks, a minute at 400 ms a slot and half a minute at the 200 ms of mainnet. */
const PREPARED_LIFE_MS = 2 * 60_000

const findPrepared = sql({
  name: 'deposits-find-prepared',
  params: { hash: 'bytea', wallet: 'text', since: 'timestamptz' },
  text: ({ hash, wallet, since }) =>
    `select wallet from prepared_deposits where message_hash = ${hash} and wallet = ${wallet} and at > ${since}`,
})

/** Why a node rejects a deposit, for the player. */
const REASONS: Record<Exclude<RejectReason, 'already_processed'>, string> = {
  lifetime_over: 'it waited too long for the signature. Please start again.',
  bad_signature: 'the signature is invalid.',
  malformed: 'it is damaged. Please start again.',
  insufficient_funds: 'your wallet does not hold enough $COTTON, or no SOL for the network fee.',
  failed: 'the transfer would fail. Does your wallet hold that much $COTTON?',
}

/**
 * Forwards a transfer that was prepared for this player, if it is signed and otherwise unchanged. Submitting it again is
 * safe and returns the same signature. Refuses with transaction_not_ours, signature_failed, transaction_rejected, and
 * with chain_unreachable if the result is unknown.
 */
export async function submitDeposit(
  { db, chain, clock }: { db: Db; chain: Chain; clock: Clock },
  { wallet, transaction }: { wallet: string; transaction: string },
): Promise<Signature> {
  const transfer = readTransfer(transaction)
  if (!transfer) refuse('transaction_not_ours')
  const message = Uint8Array.from(transfer.message)
  const since = new Date(clock.now().getTime() - PREPARED_LIFE_MS)
  const prepared = await db.rows(findPrepared, { hash: messageHash(message), wallet, since })
  if (prepared.length === 0 || transfer.signer !== wallet) refuse('transaction_not_ours')
  const signature = transfer.signature && Uint8Array.from(transfer.signature)
  if (!signature || !(await isSignedBy(wallet, message, signature))) refuse('signature_failed')

  const sent = await chain.send(transaction as Wire)
  if (sent.state === 'unknown') refuse('chain_unreachable')
  if (sent.state === 'rejected' && sent.reason !== 'already_processed') {
    refuse('transaction_rejected', { reason: REASONS[sent.reason] })
  }
  return transfer.id
}
