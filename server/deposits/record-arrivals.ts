import { baseUnits, type Cotton } from '#game/cotton.ts'
import { depositEntries } from '#game/credit.ts'
import { type Ledger, openLedger } from '#server/ledger/ledger.ts'
import { assert } from '#server/platform/assert.ts'
import type { Clock } from '#server/platform/clock.ts'
import { rowOf, rowset, sql, type Tx } from '#server/platform/db/db.ts'
import { recordUnclaimed, findUnsupported, type Unclaimed } from './record-unclaimed.ts'
import { markActive } from './mark-active.ts'
import { type CursorMove, moveCursor } from './move-cursor.ts'
import type { Arrival, PendingReason } from './read-arrivals.ts'
import type { AssignedAddress, DepositAddress } from './take-address.ts'

const findEntered = sql({
  name: 'deposits-find-entered',
  params: { tokenAccount: 'text', signatures: 'text[]' },
  row: rowOf<{ signature: string }>(),
  text: ({ tokenAccount, signatures }) =>
    `select signature from receipts
     where token_account = ${tokenAccount} and asset = 'cotton' and state in ('credited', 'unclaimed') and signature = any(${signatures})`,
})

// The primary key decides: a receipt that is already credited returns no row.
const insertCredited = sql({
  name: 'deposits-insert-credited',
  params: {
    tokenAccount: 'text',
    wallet: 'text',
    now: 'timestamptz',
    final: rowset({ signature: 'text', amount: 'numeric', slot: 'bigint', journal_id: 'uuid' }),
  },
  text: ({ tokenAccount, wallet, now, final }) =>
    `insert into receipts (signature, token_account, wallet, asset, mint, amount, slot, state, seen_at, credited_at, journal_id)
     select signature, ${tokenAccount}, ${wallet}, 'cotton', null, amount, slot, 'credited', ${now}, ${now}, journal_id
     from ${final}
     on conflict (signature, token_account, asset) do update
       set state = 'credited', credited_at = excluded.credited_at, journal_id = excluded.journal_id,
         amount = excluded.amount, slot = excluded.slot, why = null
       where receipts.state in ('pending', 'dropped')
     returning signature`,
})

// Returns only rows that were inserted or changed.
const insertPending = sql({
  name: 'deposits-insert-pending',
  params: {
    tokenAccount: 'text',
    wallet: 'text',
    now: 'timestamptz',
    seen: rowset({ signature: 'text', amount: 'numeric', slot: 'bigint', why: 'text | null' }),
  },
  row: rowOf<{ signature: string; amount: string; why: PendingReason | null }>(),
  text: ({ tokenAccount, wallet, now, seen }) =>
    `insert into receipts (signature, token_account, wallet, asset, mint, amount, slot, state, why, seen_at)
     select signature, ${tokenAccount}, ${wallet}, 'cotton', null, amount, slot, 'pending', why, ${now}
     from ${seen}
     on conflict (signature, token_account, asset) do update
       set state = 'pending', amount = excluded.amount, slot = excluded.slot, why = excluded.why
       where receipts.state = 'dropped' or receipts.state = 'pending' and receipts.why is distinct from excluded.why
     returning signature, amount::text, why`,
})

type Recording = {
  address: AssignedAddress
  arrivals: readonly Arrival[]
  clock: Clock
  /** Null if the cursor stays. */
  cursor: CursorMove | null
}

/** A finalized deposit that is not credited yet, because two nodes have not reported the same. `amount` in base units. */
export type WaitingDeposit = { signature: string; amount: string; why: PendingReason }

/**
 * Records the arrivals at one address together with the cursor of its history. Returns the finalized deposits that have
 * started to wait. The player's accounts are locked first, so concurrent scans run one after the other, and each sees
 * what the one before has credited.
 */
export async function recordArrivals(
  tx: Tx,
  { address, arrivals, clock, cursor }: Recording,
): Promise<WaitingDeposit[]> {
  const ledger = await openLedger(tx, [address.wallet])
  const now = clock.now()
  const final = arrivals.filter((each) => each.final)
  const deposits = depositsIn(final)
  await credit(tx, ledger, {
    address,
    now,
    deposits: deposits.filter((each) => !unclaimedReasonOf(address, each)),
  })
  const waiting = await recordPending(tx, {
    address,
    now,
    deposits: depositsIn(arrivals.filter((each) => !each.final)),
  })
  const uncreditable = deposits.flatMap((each) => {
    const why = unclaimedReasonOf(address, each)
    return why
      ? [{ ...each, account: address.tokenAccount, mint: null, asset: 'cotton', why } as Unclaimed]
      : []
  })
  await recordUnclaimed(tx, {
    wallet: address.wallet,
    now,
    unclaimed: [...uncreditable, ...findUnsupported(address, final)],
  })
  if (cursor) await moveCursor(tx, { ...cursor, owner: address.owner })
  if (arrivals.some(broughtAssets)) await markActive(tx, { owner: address.owner, now })
  ledger.write()
  return waiting
}

// A transaction that names an address but brings nothing must not make the watcher read its history.
const broughtAssets = ({ receipt }: Arrival): boolean =>
  receipt !== null && (receipt.amount > 0n || receipt.lamports > 0n || receipt.unsupported.length > 0)

/** The largest single deposit that is credited, 10¹² $COTTON in base units: the ledger's bigint columns stay far from overflow. */
const MAX_CREDITED = 10n ** 18n

function unclaimedReasonOf(
  { assignedSlot }: AssignedAddress,
  { slot, amount }: Deposit,
): 'before_yours' | 'too_large' | null {
  if (assignedSlot !== null && slot < assignedSlot) return 'before_yours'
  return amount > MAX_CREDITED ? 'too_large' : null
}

type Deposit = { signature: string; amount: Cotton; slot: bigint; waitsFor: PendingReason | null }
type Entering = { address: DepositAddress; now: Date; deposits: readonly Deposit[] }

const depositsIn = (arrivals: readonly Arrival[]): Deposit[] =>
  arrivals.flatMap(({ signature, slot, waitsFor, receipt }) =>
    receipt && receipt.amount > 0n ? [{ signature, slot, waitsFor, amount: baseUnits(receipt.amount) }] : [],
  )

async function credit(tx: Tx, ledger: Ledger, { address, now, deposits }: Entering): Promise<void> {
  if (deposits.length === 0) return
  const { wallet, tokenAccount } = address
  const signatures = deposits.map((each) => each.signature)
  const rows = await tx.rows(findEntered, { tokenAccount, signatures })
  const known = new Set(rows.map((row) => row.signature))
  const fresh = deposits.filter((each) => !known.has(each.signature))
  if (fresh.length === 0) return
  const final = fresh.map(({ signature, amount, slot }) => {
    const entries = depositEntries(wallet, amount)
    const journal_id = ledger.post({ wallet, kind: 'deposit', at: now, detail: { signature }, entries })
    return { signature, amount, slot, journal_id }
  })
  const stored = await tx.rows(insertCredited, { tokenAccount, wallet, now, final })
  assert(stored.length === fresh.length, 'a deposit is credited once')
}

async function recordPending(tx: Tx, { address, now, deposits }: Entering): Promise<WaitingDeposit[]> {
  if (deposits.length === 0) return []
  const rows = await tx.rows(insertPending, {
    tokenAccount: address.tokenAccount,
    wallet: address.wallet,
    now,
    seen: deposits.map(({ signature, amount, slot, waitsFor }) => ({
      signature,
      amount,
      slot,
      why: waitsFor,
    })),
  })
  return rows.flatMap(({ why, ...row }) => (why ? [{ ...row, why }] : []))
}
