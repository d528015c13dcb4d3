import type { Pool } from 'pg'
import { purchaseListing } from '#contract/market.ts'
import { inTransaction, keepAnswer, lockPurse, settlePurse, writeJournal } from '../bare.ts'
import type { Offered } from './traders.ts'

/**
 * The base: a resale as it is written first. It reads each row and locks it, works out the next, and writes it, one
 * statement after the other. It writes the very rows that the product writes. The accounts come in the order of their
 * wallets, without which two of them would wait for each other for ever.
 */
export function buyBare(
  pool: Pool,
  { listingId, wish: { wallet: buyer, parcelId } }: Offered,
): Promise<boolean> {
  return inTransaction(pool, async (run) => {
    const [listing] = await run('bare-listing', 'select seller, price from listings where id = $1', [
      listingId,
    ])
    const seller = listing!.seller!
    const price = BigInt(listing!.price!)
    const gain = price - price / 10n
    const [first, second] = [
      { wallet: buyer, amount: -price },
      { wallet: seller, amount: gain },
    ].toSorted((a, b) => (a.wallet < b.wallet ? -1 : 1)) as [Move, Move]
    const left = new Map([
      [first.wallet, await lockPurse(run, first)],
      [second.wallet, await lockPurse(run, second)],
    ])
    const region = parcelId.slice(0, 2)
    await run('bare-continent', 'select version from continents where code = $1 for update', [region])
    const [land] = await run('bare-owner', 'select wallet from land where parcel_id = $1 for update', [
      parcelId,
    ])
    const [locked] = await run('bare-state', 'select state from listings where id = $1 for update', [
      listingId,
    ])
    const [paid, got] = [left.get(buyer)!, left.get(seller)!]
    if (locked!.state !== 'active' || land!.wallet !== seller || paid.balance < 0n) return false
    const detail = { listingId, parcelId, price: Number(price / 1_000_000n) }
    const id = await writeJournal(run, { wallet: buyer, kind: 'resale', detail })
    await run(
      'bare-resale-entries',
      `insert into entries (wallet, journal_id, line, account, amount, balance_after, version)
       values ($1, $3, 0, 'deposited', -$4::bigint, $5, $6),
         ($2, $3, 1, 'deposited', $9::bigint, $7, $8), ($2, $3, 2, 'pool', $4::bigint - $9::bigint, null, null)`,
      [buyer, seller, id, price, paid.balance, paid.version, got.balance, got.version, gain],
    )
    for (const [wallet, after] of left) await settlePurse(run, { wallet, left: after })
    await run(
      'bare-close',
      `update listings set state = 'sold', buyer = $2, journal_id = $3, closed_at = clock_timestamp() where id = $1`,
      [listingId, buyer, id],
    )
    await run('bare-hand-over', 'update land set wallet = $2 where parcel_id = $1', [parcelId, buyer])
    await run('bare-bump', 'update continents set version = version + 1 where code = $1', [region])
    const answer = { success: true, parcelId, balance: String(paid.balance) }
    await keepAnswer(run, { wallet: buyer, route: purchaseListing.path, answer })
    return true
  })
}

type Move = { wallet: string; amount: bigint }
