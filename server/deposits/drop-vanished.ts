import type { Chain, Signature } from '#server/chain/port.ts'
import { type Db, sql } from '#server/platform/db/db.ts'
import type { DepositAddress } from './take-address.ts'

const readPending = sql(
  'deposits-read-pending',
  `select signature, slot from receipts
   where wallet = $1 and token_account = $2 and asset = 'cotton' and state = 'pending'`,
)

const drop = sql(
  'deposits-drop',
  `update receipts set state = 'dropped'
   where token_account = $1 and asset = 'cotton' and state = 'pending' and signature = any($2::text[])`,
)

/**
 * Drops pending deposits whose block was abandoned: the slot is older than the final one, the history that was just read
 * does not contain the transaction, and no node knows it. If it reappears, it is credited like any other.
 */
export async function dropVanished(
  { db, chain }: { db: Db; chain: Chain },
  { address, seen, finalSlot }: { address: DepositAddress; seen: Set<Signature>; finalSlot: bigint },
): Promise<void> {
  type Row = { signature: Signature; slot: bigint }
  const pending = await db.rows<Row>(readPending, [address.wallet, address.tokenAccount])
  const missing = pending.filter((row) => row.slot < finalSlot && !seen.has(row.signature))
  if (missing.length === 0) return
  const statuses = await chain.statuses(missing.map((row) => row.signature))
  const gone = missing.filter((_, at) => {
    const status = statuses[at]
    return !status || status.failed
  })
  if (gone.length > 0) await db.rows(drop, [address.tokenAccount, gone.map((row) => row.signature)])
}
