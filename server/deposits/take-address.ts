import type { Address } from '#server/chain/port.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import { UNIQUE_VIOLATION } from '#server/platform/db/error-codes.ts'
import { errorCode } from '#server/platform/startup-error.ts'
import { OFFER } from './retire-addresses.ts'

/** One player's deposit address. `owner` is shown to the player; the tokens arrive in `tokenAccount`. */
export type DepositAddress = { wallet: string; owner: Address; tokenAccount: Address }

/** The same with the slot at which it was assigned. */
export type AssignedAddress = DepositAddress & { assignedSlot: bigint | null }

const readAddress = sql({
  name: 'deposits-read-address',
  params: { wallet: 'text' },
  row: rowOf<DepositAddress>(),
  text: ({ wallet }) =>
    `select wallet, owner, token_account as "tokenAccount" from deposit_addresses where wallet = ${wallet}`,
})

// Concurrent players skip each other's locked row, so each gets a different address without waiting. An address with a
// history is retired, because another player may own it. A database that may have lost assignments has no offer until the
// signer has retired what was free in it.
const takeAddress = sql({
  name: 'deposits-take-address',
  params: { wallet: 'text', now: 'timestamptz', slot: 'bigint | null' },
  row: rowOf<DepositAddress>(),
  text: ({ wallet, now, slot }) =>
    `update deposit_addresses set wallet = ${wallet}, assigned_at = ${now}, assigned_slot = ${slot}
     where index = (
       select index from deposit_addresses where wallet is null and retired_at is null and exists (${OFFER})
       order by index limit 1 for update skip locked
     ) and wallet is null and retired_at is null
     returning wallet, owner, token_account as "tokenAccount"`,
})

/** The deposit address of a player, or null if none is assigned. */
export async function readDepositAddress(db: Db, wallet: string): Promise<DepositAddress | null> {
  const [known] = await db.rows(readAddress, { wallet })
  return known ?? null
}

/**
 * The deposit address of a player; the first call assigns the free address with the lowest index. Null if none is free or
 * offered in this database. `slot` is a confirmed slot read before the call: earlier arrivals are not this player's.
 */
export async function takeDepositAddress(
  db: Db,
  { wallet, now, slot = null }: { wallet: string; now: Date; slot?: bigint | null },
): Promise<DepositAddress | null> {
  const known = await readDepositAddress(db, wallet)
  if (known) return known
  try {
    // Only a transaction notices that no standby has confirmed its commit. A failover would lose the assignment, and the
    // next player would get the same address.
    const [taken] = await db.transaction((tx) => tx.rows(takeAddress, { wallet, now, slot }))
    return taken ?? null
  } catch (error) {
    // A concurrent call of the same player has already assigned an address.
    if (errorCode(error) === UNIQUE_VIOLATION) return readDepositAddress(db, wallet)
    throw error
  }
}
