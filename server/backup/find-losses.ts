import type { Cotton } from '#game/cotton.ts'
import type { Address, Chain } from '#server/chain/port.ts'
import { readBoundChain } from '#server/deposits/connect-bound-chain.ts'
import { type FreeAddress, watchFreeAddress } from '#server/deposits/watch-free-addresses.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import { createNotingReader, creditMissedDeposits } from '#server/ops/credit-missed-deposits.ts'
import { findUnowedPayouts, type UnowedPayout } from '#server/signer/acts/find-unowed-payouts.ts'

type Unowned<Amount = bigint> = { signature: string; amount: Amount }
type Deposit<Amount = bigint> = Unowned<Amount> & { wallet: string }

/** What the chain has seen since a backup. */
export type Losses = {
  deposits: readonly Deposit[]
  /** Deposits to addresses that belong to nobody in the backup: they were assigned later. */
  unowned: readonly Unowned[]
  payouts: readonly UnowedPayout[]
  /** The addresses whose history could not be read, each as a sentence with the reason. */
  unread: readonly string[]
}

// The amount of a receipt may exceed a bigint.
const readCredited = sql({
  name: 'drill-read-credited',
  row: rowOf<Deposit<string>>(),
  text: `select signature, wallet, amount::text from receipts where asset = 'cotton' and state = 'credited' and wallet is not null`,
})

const readAssignable = sql({
  name: 'drill-read-assignable',
  row: rowOf<FreeAddress>(),
  text: `select owner, token_account as "tokenAccount", cursor_signature as cursor,
     owner_cursor_signature as "ownerCursor"
   from deposit_addresses where wallet is null and retired_at is null order by index`,
})

const readUnowned = sql({
  name: 'drill-read-unowned',
  row: rowOf<Unowned<string>>(),
  text: `select signature, amount::text from receipts
   where asset = 'cotton' and state = 'unclaimed' and why = 'of_nobody'`,
})

/**
 * Compares a restored database with the history of its chain. It credits the deposits that the backup does not contain, in
 * the restored database, and only reads from the chain.
 */
export async function findLosses({
  db,
  chain,
  clock,
  largeFrom,
}: {
  db: Db
  chain: Chain
  clock: Clock
  largeFrom?: Cotton | undefined
}): Promise<Losses> {
  const boundChain = await readBoundChain(db)
  if (boundChain === null) return { deposits: [], unowned: [], payouts: [], unread: [] }
  const readKnown = async () => {
    const deposits = await db.rows(readCredited)
    const unowned = await db.rows(readUnowned)
    return [
      deposits.map((row): Deposit => ({ ...row, amount: BigInt(row.amount) })),
      unowned.map((row): Unowned => ({ ...row, amount: BigInt(row.amount) })),
    ] as const
  }
  const before = new Set((await readKnown()).flat().map(({ signature }) => signature))
  const isNew = ({ signature }: { signature: string }) => !before.has(signature)
  const { unread } = await creditMissedDeposits({ db, clock, largeFrom }, chain)
  const readOrNote = createNotingReader()
  const unreadFree: string[] = []
  for (const address of await db.rows(readAssignable)) {
    const failure = await readOrNote(address.owner, () => watchFreeAddress({ db, chain, clock }, address))
    if (failure !== null) unreadFree.push(failure)
  }
  const [deposits, unowned] = await readKnown()
  const { unowed } = await findUnowedPayouts({ db }, { chain, treasury: boundChain.treasury as Address })
  return {
    deposits: deposits.filter(isNew),
    unowned: unowned.filter(isNew),
    payouts: unowed.filter(({ restored }) => restored === null),
    unread: [...unread.values(), ...unreadFree],
  }
}
