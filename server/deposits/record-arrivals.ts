import { baseUnits, type Cotton } from '#game/cotton.ts'
import { depositLines } from '#game/credit.ts'
import { type Book, openBook } from '#server/ledger/book.ts'
import { assert } from '#server/platform/assert.ts'
import type { Clock } from '#server/platform/clock.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'
import type { Arrival } from './read-arrivals.ts'
import type { DepositAddress } from './take-address.ts'

const findCredited = sql(
  'deposits-find-credited',
  `select signature from receipts
   where token_account = $1 and asset = 'cotton' and state = 'credited' and signature = any($2::text[])`,
)

// The primary key has the last word: a receipt that is credited already gives no row back.
const keepCredited = sql(
  'deposits-keep-credited',
  `insert into receipts (signature, token_account, wallet, asset, mint, amount, slot, state, seen_at, credited_at, journal_id)
   select signature, $1, $2, 'cotton', null, amount, slot, 'credited', $3, $3, journal_id
   from unnest($4::text[], $5::numeric[], $6::bigint[], $7::uuid[]) as final (signature, amount, slot, journal_id)
   on conflict (signature, token_account, asset) do update
     set state = 'credited', credited_at = excluded.credited_at, journal_id = excluded.journal_id,
       amount = excluded.amount, slot = excluded.slot
     where receipts.state <> 'credited'
   returning signature`,
)

const keepPending = sql(
  'deposits-keep-pending',
  `insert into receipts (signature, token_account, wallet, asset, mint, amount, slot, state, seen_at)
   select signature, $1, $2, 'cotton', null, amount, slot, 'pending', $3
   from unnest($4::text[], $5::numeric[], $6::bigint[]) as seen (signature, amount, slot)
   on conflict (signature, token_account, asset) do update set state = 'pending', amount = excluded.amount, slot = excluded.slot
     where receipts.state = 'dropped'`,
)

const keepStrays = sql(
  'deposits-keep-strays',
  `insert into receipts (signature, token_account, wallet, asset, mint, amount, slot, state, seen_at)
   select signature, account, $1, asset, mint, amount, slot, 'unclaimed', $2
   from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::numeric[], $8::bigint[])
     as stray (signature, account, asset, mint, amount, slot)
   on conflict (signature, token_account, asset) do nothing`,
)

const moveCursor = {
  token_account: sql(
    'deposits-move-cursor',
    `update deposit_addresses set cursor_signature = $2, cursor_slot = $3
     where owner = $1 and cursor_slot <= $3`,
  ),
  owner: sql(
    'deposits-move-owner-cursor',
    `update deposit_addresses set owner_cursor_signature = $2, owner_cursor_slot = $3
     where owner = $1 and owner_cursor_slot <= $3`,
  ),
}

type Recording = {
  address: DepositAddress
  arrivals: readonly Arrival[]
  clock: Clock
  cursor: { side: keyof typeof moveCursor; to: Arrival | null }
}

/**
 * Enters what arrived at one address, together with how far its history has been read. The player's accounts are
 * locked first, so steps that run at once come one after the other and each sees what the one before has credited.
 */
export async function recordArrivals(tx: Tx, { address, arrivals, clock, cursor }: Recording): Promise<void> {
  const book = await openBook(tx, [address.wallet])
  const now = clock.now()
  await credit(tx, book, { address, now, deposits: depositsIn(arrivals.filter((each) => each.final)) })
  await keepAside(tx, { address, now, deposits: depositsIn(arrivals.filter((each) => !each.final)) })
  await keepUnclaimed(tx, { address, now, arrivals: arrivals.filter((each) => each.final) })
  if (cursor.to) {
    await tx.rows(moveCursor[cursor.side], [address.owner, cursor.to.signature, cursor.to.slot])
  }
  await book.close()
}

type Deposit = { signature: string; amount: Cotton; slot: bigint }
type Entering = { address: DepositAddress; now: Date; deposits: readonly Deposit[] }

const depositsIn = (arrivals: readonly Arrival[]): Deposit[] =>
  arrivals.flatMap(({ signature, slot, receipt }) =>
    receipt && receipt.amount > 0n ? [{ signature, slot, amount: baseUnits(receipt.amount) }] : [],
  )

async function credit(tx: Tx, book: Book, { address, now, deposits }: Entering): Promise<void> {
  if (deposits.length === 0) return
  const { wallet, tokenAccount } = address
  const signatures = deposits.map((each) => each.signature)
  const rows = await tx.rows<{ signature: string }>(findCredited, [tokenAccount, signatures])
  const known = new Set(rows.map((row) => row.signature))
  const fresh = deposits.filter((each) => !known.has(each.signature))
  if (fresh.length === 0) return
  const journals = fresh.map(({ signature, amount }) =>
    book.post({
      wallet,
      kind: 'deposit',
      at: now,
      detail: { signature },
      lines: depositLines(wallet, amount),
    }),
  )
  const kept = await tx.rows(keepCredited, [
    tokenAccount,
    wallet,
    now,
    fresh.map((each) => each.signature),
    fresh.map((each) => each.amount),
    fresh.map((each) => each.slot),
    journals,
  ])
  assert(kept.length === fresh.length, 'a deposit is credited once')
}

async function keepAside(tx: Tx, { address, now, deposits }: Entering): Promise<void> {
  if (deposits.length === 0) return
  await tx.rows(keepPending, [
    address.tokenAccount,
    address.wallet,
    now,
    deposits.map((each) => each.signature),
    deposits.map((each) => each.amount),
    deposits.map((each) => each.slot),
  ])
}

// Tokens of another kind and SOL stay where they are; the operator can see them and send them back.
async function keepUnclaimed(
  tx: Tx,
  { address, now, arrivals }: { address: DepositAddress; now: Date; arrivals: readonly Arrival[] },
): Promise<void> {
  const strays = arrivals.flatMap(({ signature, slot, receipt }) => {
    if (!receipt) return []
    const tokens = receipt.strays.map(({ account, mint, amount }) => ({
      signature,
      slot,
      account,
      mint,
      amount,
      asset: 'other_token',
    }))
    const sol = {
      signature,
      slot,
      account: address.owner,
      mint: null,
      amount: receipt.lamports,
      asset: 'sol',
    }
    return receipt.lamports > 0n ? [...tokens, sol] : tokens
  })
  if (strays.length === 0) return
  await tx.rows(keepStrays, [
    address.wallet,
    now,
    strays.map((each) => each.signature),
    strays.map((each) => each.account),
    strays.map((each) => each.asset),
    strays.map((each) => each.mint),
    strays.map((each) => each.amount),
    strays.map((each) => each.slot),
  ])
}
