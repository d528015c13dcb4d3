import { baseUnits } from '#game/cotton.ts'
import type { Address, Chain, Signature } from '#server/chain/port.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import { recordUnclaimed, findUnsupported, type Unclaimed } from './record-unclaimed.ts'
import { moveCursor } from './move-cursor.ts'
import { type Arrival, lastOfReadSlots, readArrivals, readHistorySince } from './read-arrivals.ts'

const PAGE = 1_000
const BATCH = 50

/** A deposit address that is not assigned to any player: free or retired. */
export type FreeAddress = {
  owner: Address
  tokenAccount: Address
  cursor: Signature | null
  ownerCursor: Signature | null
}

/** No amount needs a second node here, because nothing is credited. */
const NEVER_LARGE = baseUnits(2n ** 64n)

const readFree = sql({
  name: 'watch-read-free',
  params: { from: 'integer', limit: 'integer' },
  row: rowOf<FreeAddress>(),
  text: ({ from, limit }) =>
    `select owner, token_account as "tokenAccount", cursor_signature as cursor, owner_cursor_signature as "ownerCursor"
     from deposit_addresses where wallet is null order by index limit ${limit}
     offset ${from} % greatest((select count(*) from deposit_addresses where wallet is null), 1)`,
})

// A player who takes the address concurrently waits and finds it retired, or is first and owns it.
const retire = sql({
  name: 'watch-retire',
  params: { owner: 'text', now: 'timestamptz' },
  text: ({ owner, now }) =>
    `update deposit_addresses set retired_at = coalesce(retired_at, ${now}) where owner = ${owner} and wallet is null
     returning index`,
})

/** `atOnce` unassigned addresses, in rotation: each `round` reads the next ones. */
export function readFreeAddresses(
  db: Db,
  { round, atOnce }: { round: number; atOnce: number },
): Promise<FreeAddress[]> {
  return db.rows(readFree, { from: round * atOnce, limit: atOnce })
}

/**
 * Scans an unassigned address. Arrivals are recorded for the operator and not credited, and an address that was ever used
 * is retired, so that it is never assigned. Rejects with `ChainUnavailable`.
 */
export async function watchFreeAddress(
  { db, chain, clock }: { db: Db; chain: Chain; clock: Clock },
  address: FreeAddress,
): Promise<void> {
  const sides = [
    { side: 'token_account', read: address.tokenAccount, cursor: address.cursor },
    { side: 'owner', read: address.owner, cursor: address.ownerCursor },
  ] as const
  for (const { side, read, cursor } of sides) {
    const items = await readHistorySince(chain, {
      address: read,
      cursor,
      pageSize: PAGE,
      commitment: 'finalized',
    })
    let from = cursor
    for (let at = 0; at < items.length; at += BATCH) {
      const of = { ...address, history: read, largeFrom: NEVER_LARGE }
      const batch = await readArrivals(chain, of, items.slice(at, at + BATCH))
      const missing = batch.findIndex((each) => !each?.final)
      const arrivals = (missing < 0 ? batch : batch.slice(0, missing)).filter((each) => each !== null)
      const now = clock.now()
      const unclaimed = [...cottonIn(address, arrivals), ...findUnsupported(address, arrivals)]
      const to = lastOfReadSlots(batch, { items, at })
      const isUnassigned = await db.transaction(async (tx) => {
        if ((await tx.rows(retire, { owner: address.owner, now })).length === 0) return false
        await recordUnclaimed(tx, { wallet: null, now, unclaimed })
        if (to) await moveCursor(tx, { owner: address.owner, side, from, to })
        return true
      })
      from = to?.signature ?? from
      if (!isUnassigned || missing >= 0) return
    }
  }
}

const cottonIn = ({ tokenAccount }: FreeAddress, arrivals: readonly Arrival[]): Unclaimed[] =>
  arrivals.flatMap(({ signature, slot, receipt }) => {
    if (!receipt || receipt.amount <= 0n) return []
    const { amount } = receipt
    return [{ signature, slot, account: tokenAccount, asset: 'cotton', mint: null, amount, why: 'of_nobody' }]
  })
