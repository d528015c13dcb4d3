import type { Address } from '#server/chain/port.ts'
import { type Db, sql } from '#server/platform/db/db.ts'

/** One player's deposit address. `owner` is shown to the player; the tokens arrive in `tokenAccount`. */
export type DepositAddress = { wallet: string; owner: Address; tokenAccount: Address }

const readAddress = sql(
  'deposits-read-address',
  'select wallet, owner, token_account as "tokenAccount" from deposit_addresses where wallet = $1',
)

// Concurrent players skip each other's locked row, so each gets a different address without waiting. An address with a
// history is retired, because another player may own it.
const takeAddress = sql(
  'deposits-take-address',
  `update deposit_addresses set wallet = $1, assigned_at = $2, assigned_slot = $3
   where index = (
     select index from deposit_addresses where wallet is null and retired_at is null
     order by index limit 1 for update skip locked
   ) and wallet is null and retired_at is null
   returning wallet, owner, token_account as "tokenAccount"`,
)

/** The deposit address of a player, or null if none is assigned. */
export async function readDepositAddress(db: Db, wallet: string): Promise<DepositAddress | null> {
  const [known] = await db.rows<DepositAddress>(readAddress, [wallet])
  return known ?? null
}

/**
 * The deposit address of a player; the first call assigns the free address with the lowest index. Null if none is free.
 * `slot` is a confirmed slot read before the call: earlier arrivals are not this player's.
 */
export async function takeDepositAddress(
  db: Db,
  { wallet, now, slot = null }: { wallet: string; now: Date; slot?: bigint | null },
): Promise<DepositAddress | null> {
  const known = await readDepositAddress(db, wallet)
  if (known) return known
  try {
    const [taken] = await db.rows<DepositAddress>(takeAddress, [wallet, now, slot])
    return taken ?? null
  } catch (error) {
    // A concurrent call of the same player has already assigned an address.
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) return readDepositAddress(db, wallet)
    throw error
  }
}

const UNIQUE_VIOLATION = '23505'
