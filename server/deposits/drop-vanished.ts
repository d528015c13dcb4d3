import type { Chain, Signature } from '#server/chain/port.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import type { DepositAddress } from './take-address.ts'

const readPending = sql({
  name: 'deposits-read-pending',
  params: { wallet: 'text', tokenAccount: 'text' },
  row: rowOf<{ signature: Signature; slot: bigint }>(),
  text: ({ wallet, tokenAccount }) =>
    `select signature, slot from receipts
     where wallet = ${wallet} and token_account = ${tokenAccount} and asset = 'cotton' and state = 'pending'`,
})

const drop = sql({
  name: 'deposits-drop',
  params: { tokenAccount: 'text', signatures: 'text[]' },
  text: ({ tokenAccount, signatures }) =>
    `update receipts set state = 'dropped'
     where token_account = ${tokenAccount} and asset = 'cotton' and state = 'pending' and signature = any(${signatures})`,
})

/**
 * Drops pending deposits whose block was abandoned: the slot is older than the final one, the history that was just read
 * does not contain the transaction, and no node knows it. If it reappears, it is credited like any other.
 */
export async function dropVanished(
  { db, chain }: { db: Db; chain: Chain },
  { address, seen, finalSlot }: { address: DepositAddress; seen: Set<Signature>; finalSlot: bigint },
): Promise<void> {
  const pending = await db.rows(readPending, { wallet: address.wallet, tokenAccount: address.tokenAccount })
  const missing = pending.filter((row) => row.slot < finalSlot && !seen.has(row.signature))
  if (missing.length === 0) return
  const statuses = await chain.statuses(missing.map((row) => row.signature))
  const gone = missing.filter((_, at) => {
    const status = statuses[at]
    return !status || status.failed
  })
  if (gone.length > 0)
    await db.rows(drop, { tokenAccount: address.tokenAccount, signatures: gone.map((row) => row.signature) })
}
