import { baseUnits, type Cotton } from '#game/cotton.ts'
import { depositLines } from '#game/credit.ts'
import { type Book, openBook } from '#server/ledger/book.ts'
import { assert } from '#server/platform/assert.ts'
import type { Clock } from '#server/platform/clock.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'
import { keepUnclaimed, straysIn, type Unclaimed } from './keep-unclaimed.ts'
import { markLively } from './mark-lively.ts'
import type { Arrival, Waiting } from './read-arrivals.ts'
import type { DepositAddress } from './take-address.ts'

const findEntered = sql(
  'deposits-find-entered',
  `select signature from receipts
   where token_account = $1 and asset = 'cotton' and state in ('credited', 'unclaimed') and signature = any($2::text[])`,
)

// The primary key has the last word: a receipt that is credited already gives no row back.
const keepCredited = sql(
  'deposits-keep-credited',
  `insert into receipts (signature, token_account, wallet, asset, mint, amount, slot, state, seen_at, credited_at, journal_id)
   select signature, $1, $2, 'cotton', null, amount, slot, 'credited', $3, $3, journal_id
   from unnest($4::text[], $5::numeric[], $6::bigint[], $7::uuid[]) as final (signature, amount, slot, journal_id)
   on conflict (signature, token_account, asset) do update
     set state = 'credited', credited_at = excluded.credited_at, journal_id = excluded.journal_id,
       amount = excluded.amount, slot = excluded.slot, why = null
     where receipts.state in ('pending', 'dropped')
   returning signature`,
)

// Gives back what is new in it: a row that stays as it was gives none.
const keepPending = sql(
  'deposits-keep-pending',
  `insert into receipts (signature, token_account, wallet, asset, mint, amount, slot, state, why, seen_at)
   select signature, $1, $2, 'cotton', null, amount, slot, 'pending', why, $3
   from unnest($4::text[], $5::numeric[], $6::bigint[], $7::text[]) as seen (signature, amount, slot, why)
   on conflict (signature, token_account, asset) do update
     set state = 'pending', amount = excluded.amount, slot = excluded.slot, why = excluded.why
     where receipts.state = 'dropped' or receipts.state = 'pending' and receipts.why is distinct from excluded.why
   returning signature, amount::text, why`,
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
  address: DepositAddress & { assignedSlot: bigint | null }
  arrivals: readonly Arrival[]
  clock: Clock
  cursor: { side: keyof typeof moveCursor; to: Arrival | null }
}

/** A final deposit that was not entered, since nodes do not agree on it. `amount` in base units. */
export type Held = { signature: string; amount: string; why: Waiting }

/**
 * Enters what arrived at one address, together with how far its history has been read; answers which final deposits
 * begin to wait. The player's accounts are locked first, so steps that run at once come one after the other and each
 * sees what the one before has credited.
 */
export async function recordArrivals(
  tx: Tx,
  { address, arrivals, clock, cursor }: Recording,
): Promise<Held[]> {
  const book = await openBook(tx, [address.wallet])
  const now = clock.now()
  const final = arrivals.filter((each) => each.final)
  const deposits = depositsIn(final)
  await credit(tx, book, { address, now, deposits: deposits.filter((each) => !oddity(address, each)) })
  const held = await keepAside(tx, {
    address,
    now,
    deposits: depositsIn(arrivals.filter((each) => !each.final)),
  })
  const odd = deposits.flatMap((each) => {
    const why = oddity(address, each)
    return why
      ? [{ ...each, account: address.tokenAccount, mint: null, asset: 'cotton', why } as Unclaimed]
      : []
  })
  await keepUnclaimed(tx, { wallet: address.wallet, now, unclaimed: [...odd, ...straysIn(address, final)] })
  if (cursor.to) {
    await tx.rows(moveCursor[cursor.side], [address.owner, cursor.to.signature, cursor.to.slot])
  }
  if (arrivals.some(brought)) await markLively(tx, { owner: address.owner, now })
  await book.close()
  return held
}

// Whoever names an address in a transaction that brings nothing makes nobody look there.
const brought = ({ receipt }: Arrival): boolean =>
  receipt !== null && (receipt.amount > 0n || receipt.lamports > 0n || receipt.strays.length > 0)

/** More than any supply of $COTTON that the ledger can hold beside others: 10¹² of them, in base units. */
const MOST_CREDITED = 10n ** 18n

function oddity(
  { assignedSlot }: Recording['address'],
  { slot, amount }: Deposit,
): 'before_yours' | 'too_large' | null {
  if (assignedSlot !== null && slot < assignedSlot) return 'before_yours'
  return amount > MOST_CREDITED ? 'too_large' : null
}

type Deposit = { signature: string; amount: Cotton; slot: bigint; waitsFor: Waiting | null }
type Entering = { address: DepositAddress; now: Date; deposits: readonly Deposit[] }

const depositsIn = (arrivals: readonly Arrival[]): Deposit[] =>
  arrivals.flatMap(({ signature, slot, waitsFor, receipt }) =>
    receipt && receipt.amount > 0n ? [{ signature, slot, waitsFor, amount: baseUnits(receipt.amount) }] : [],
  )

async function credit(tx: Tx, book: Book, { address, now, deposits }: Entering): Promise<void> {
  if (deposits.length === 0) return
  const { wallet, tokenAccount } = address
  const signatures = deposits.map((each) => each.signature)
  const rows = await tx.rows<{ signature: string }>(findEntered, [tokenAccount, signatures])
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

async function keepAside(tx: Tx, { address, now, deposits }: Entering): Promise<Held[]> {
  if (deposits.length === 0) return []
  const rows = await tx.rows<{ signature: string; amount: string; why: Waiting | null }>(keepPending, [
    address.tokenAccount,
    address.wallet,
    now,
    deposits.map((each) => each.signature),
    deposits.map((each) => each.amount),
    deposits.map((each) => each.slot),
    deposits.map((each) => each.waitsFor),
  ])
  return rows.flatMap(({ why, ...row }) => (why ? [{ ...row, why }] : []))
}
