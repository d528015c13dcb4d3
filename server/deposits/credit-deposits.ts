import type { Address, Chain, Signature } from '#server/chain/port.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Db, sql } from '#server/platform/db/db.ts'
import { dropVanished } from './drop-vanished.ts'
import { type Arrival, readArrivals, readHistorySince } from './read-arrivals.ts'
import { recordArrivals } from './record-arrivals.ts'
import type { DepositAddress } from './take-address.ts'

/** The most signatures that a node gives in one page. */
const LARGEST_PAGE = 1_000

/** How many transactions are credited in one database transaction. */
const BATCH = 50

/** Which history is read: that of our token account, or that of its owner, where strays show. */
export type Side = 'token_account' | 'owner'

type Cursor = { signature: Signature | null; slot: bigint }

const readCursor = {
  token_account: sql(
    'deposits-read-cursor',
    'select cursor_signature as signature, cursor_slot as slot from deposit_addresses where owner = $1',
  ),
  owner: sql(
    'deposits-read-owner-cursor',
    'select owner_cursor_signature as signature, owner_cursor_slot as slot from deposit_addresses where owner = $1',
  ),
}

/**
 * Looks at one deposit address and enters what it finds: final deposits are credited, newer ones are pending, strays
 * are recorded. Any number of these may run at once, anywhere, and be killed at any point: each deposit is credited
 * once. Rejects with `ChainUnavailable`.
 */
export async function creditDeposits(
  { db, chain, clock }: { db: Db; chain: Chain; clock: Clock },
  address: DepositAddress,
  { sides = ['token_account', 'owner'], pageSize = LARGEST_PAGE }: { sides?: Side[]; pageSize?: number } = {},
): Promise<void> {
  // Read before the histories: what is missing there and older than this is gone.
  const finalSlot = await chain.slot('finalized')
  const seen = new Set<Signature>()
  for (const side of sides) {
    const read: Address = side === 'owner' ? address.owner : address.tokenAccount
    const cursor = (await db.rows<Cursor>(readCursor[side], [address.owner]))[0] ?? null
    const items = await readHistorySince(chain, {
      address: read,
      cursor: cursor?.signature ?? null,
      pageSize,
      commitment: 'confirmed',
    })
    for (const item of items) seen.add(item.signature)
    let unbroken = true
    for (let at = 0; at < items.length; at += BATCH) {
      const batch = items.slice(at, at + BATCH)
      const arrivals = await readArrivals(chain, address, batch)
      const to = unbroken ? lastPassed(arrivals) : null
      await db.transaction((tx) => recordArrivals(tx, { address, arrivals, clock, cursor: { side, to } }))
      if (arrivals.length < batch.length) break
      unbroken &&= arrivals.every((each) => each.final)
    }
  }
  await dropVanished({ db, chain }, { address, seen, finalSlot })
}

// The cursor goes to the last of an unbroken row of final transactions: what is not final is read again.
function lastPassed(arrivals: readonly Arrival[]): Arrival | null {
  const open = arrivals.findIndex((each) => !each.final)
  return (open < 0 ? arrivals.at(-1) : arrivals[open - 1]) ?? null
}
