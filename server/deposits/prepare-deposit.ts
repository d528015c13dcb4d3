import { createHash, randomUUID } from 'node:crypto'
import type { Cotton } from '#game/cotton.ts'
import type { Address, Chain, Wire } from '#server/chain/port.ts'
import { buildTransfer } from '#server/chain/transactions.ts'
import { readUnitPrice } from '#server/chain/unit-price.ts'
import { refuse } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Db, sql } from '#server/platform/db/db.ts'
import { findDepositAddress } from './find-address.ts'

const insertPrepared = sql({
  name: 'deposits-insert-prepared',
  params: { hash: 'bytea', wallet: 'text', amount: 'bigint', now: 'timestamptz' },
  text: ({ hash, wallet, amount, now }) =>
    `insert into prepared_deposits (message_hash, wallet, amount, at) values (${hash}, ${wallet}, ${amount}, ${now})`,
})

/** The key under which a prepared message is stored. */
export function messageHash(message: Uint8Array): Buffer {
  return createHash('sha256').update(message).digest()
}

/**
 * Builds a transfer from a player's wallet to their deposit address and stores its hash, so that only this message is
 * forwarded. Refuses with busy if no deposit address is free, and as `countNew` does if the player has none yet. Rejects with
 * `ChainUnavailable`.
 */
export async function prepareDeposit(
  { db, chain, clock }: { db: Db; chain: Chain; clock: Clock },
  { wallet, amount, countNew }: { wallet: string; amount: Cotton; countNew?: () => () => void },
): Promise<{ transaction: Wire; depositWallet: Address }> {
  const now = clock.now()
  const address = await findDepositAddress({ db, chain, clock }, wallet, countNew)
  if (!address) refuse('busy')
  const [lifetime, unitPriceMicrolamports] = await Promise.all([
    chain.latestBlockhash('confirmed'),
    readUnitPrice(chain, address.tokenAccount),
  ])
  const { message, wire } = await buildTransfer({
    token: chain.facts,
    wallet: wallet as Address,
    depositOwner: address.owner,
    amount,
    reference: randomUUID(),
    lifetime,
    unitPriceMicrolamports,
  })
  await db.rows(insertPrepared, { hash: messageHash(Uint8Array.from(message)), wallet, amount, now })
  return { transaction: wire, depositWallet: address.owner }
}
