import type { Address, OwnedAccount, Signature } from '#server/chain/port.ts'
import { LARGE_DEPOSIT } from '#server/platform/config.ts'
import { sql } from '#server/platform/db/db.ts'
import type { LookDeps } from './credit-deposits.ts'
import { readArrivals } from './read-arrivals.ts'
import { recordArrivals } from './record-arrivals.ts'
import type { DepositAddress } from './take-address.ts'

const PAGE = 50

const sumRecorded = sql(
  'foreign-sum-recorded',
  `select token_account as account, sum(amount)::text as amount from receipts
   where token_account = any($1::text[]) and asset = 'other_token' group by token_account`,
)

const findRecorded = sql(
  'foreign-find-recorded',
  `select signature from receipts where token_account = $1 and asset = 'other_token' and signature = any($2::text[])`,
)

/** An address that is a player's, with the slot from which on it was theirs. */
export type OwnAddress = DepositAddress & { assignedSlot: bigint | null }

/** What a foreign account held when its history was last read, by its address. */
export type LastHeld = Map<Address, bigint>

/**
 * Records tokens of other kinds that came to accounts which a deposit owner already had: a transfer to such an account
 * names the account and not its owner, so the owner's history does not show it. What an account holds is held against
 * what is recorded of it; only where it holds more is its history read, back to where the difference is explained.
 * Idempotent, like every look at an address. Rejects with `ChainUnavailable`.
 */
export async function findForeignTokens(
  deps: LookDeps,
  address: OwnAddress,
  lastHeld: LastHeld = new Map(),
): Promise<void> {
  const owned = await deps.chain.ownedAccounts(address.owner)
  const foreign = owned.filter((each) => each.address !== address.tokenAccount && each.amount > 0n)
  if (foreign.length === 0) return
  const accounts = foreign.map((each) => each.address)
  const rows = await deps.db.rows<{ account: Address; amount: string }>(sumRecorded, [accounts])
  const recorded = new Map(rows.map((row) => [row.account, BigInt(row.amount)]))
  for (const account of foreign) {
    const missing = account.amount - (recorded.get(account.address) ?? 0n)
    // What its whole history could not explain once, it will not explain until more has come.
    if (missing <= 0n || lastHeld.get(account.address) === account.amount) continue
    if (await explain(deps, address, { ...account, missing })) lastHeld.set(account.address, account.amount)
  }
}

/** Reads back until as much has come as is missing. False where a node did not show all that it names. */
async function explain(
  { db, chain, clock, largeFrom = LARGE_DEPOSIT }: LookDeps,
  address: OwnAddress,
  { address: account, missing }: OwnedAccount & { missing: bigint },
): Promise<boolean> {
  let left = missing
  let readAll = true
  let before: Signature | undefined
  while (left > 0n) {
    const page = await chain.history(account, { limit: PAGE, commitment: 'finalized', before })
    if (page.length === 0) break
    before = page.at(-1)!.signature
    const named = [account, page.map((item) => item.signature)]
    const known = await db.rows<{ signature: string }>(findRecorded, named)
    const fresh = page.filter(
      (item) => !item.failed && !known.some(({ signature }) => signature === item.signature),
    )
    const read = await readArrivals(chain, { ...address, largeFrom }, fresh)
    const arrivals = read.filter((each) => each !== null)
    readAll &&= arrivals.length === read.length
    // The very step of every other look: a transaction may bring a deposit, too.
    await db.transaction((tx) =>
      recordArrivals(tx, { address, arrivals, clock, cursor: { side: 'owner', to: null } }),
    )
    for (const { receipt } of arrivals)
      for (const stray of receipt?.strays ?? []) if (stray.account === account) left -= stray.amount
  }
  return readAll
}
