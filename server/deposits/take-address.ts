import type { Address } from '#server/chain/port.ts'
import { type Db, sql } from '#server/platform/db/db.ts'

/** Where one player's deposits arrive. `owner` is shown to the player; the tokens land on `tokenAccount`. */
export type DepositAddress = { wallet: string; owner: Address; tokenAccount: Address }

const readAddress = sql(
  'deposits-read-address',
  'select wallet, owner, token_account as "tokenAccount" from deposit_addresses where wallet = $1',
)

// Players who come at once skip each other's row, so each gets another address and nobody waits. One that has a
// history is retired: it may be somebody's.
const takeAddress = sql(
  'deposits-take-address',
  `update deposit_addresses set wallet = $1, assigned_at = $2, assigned_slot = $3
   where index = (
     select index from deposit_addresses where wallet is null and retired_at is null
     order by index limit 1 for update skip locked
   ) and wallet is null and retired_at is null
   returning wallet, owner, token_account as "tokenAccount"`,
)

/** The deposit address of a player, or null where none was taken yet. */
export async function readDepositAddress(db: Db, wallet: string): Promise<DepositAddress | null> {
  const [known] = await db.rows<DepositAddress>(readAddress, [wallet])
  return known ?? null
}

/**
 * The deposit address of a player; the first call takes the lowest free one. Null where no free one is left. `slot` is
 * a confirmed slot of the chain from before the call: what arrived there earlier is not this player's.
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
    // The same player asked twice at once: the other call has won an address, which is now theirs.
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) return readDepositAddress(db, wallet)
    throw error
  }
}

const UNIQUE_VIOLATION = '23505'
