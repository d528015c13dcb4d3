import { readAgreedReceipts } from '#server/chain/quorum.ts'
import {
  type Address,
  type Chain,
  ChainUnavailable,
  type Receipt,
  type Signature,
} from '#server/chain/port.ts'
import { formatExact } from '#game/cotton.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { isOpen } from '#server/withdrawals/open-states.ts'
import type { WithdrawalState } from '#server/withdrawals/read-withdrawals.ts'
import { type NamedPayout, readPayoutMemos } from '../payouts/read-payout-memos.ts'
import { readTreasuryHistory } from '../payouts/read-treasury-history.ts'
import { debtOf, isSettled, readRestored, type RestoredPayout } from './restored-payouts.ts'

const PAGE = 1_000

/** All transactions that were signed for a withdrawal `w`, of which at most one landed. */
export const SIGNATURES = `array_remove(
    array[w.paid_by, (select p.signature from payouts p where p.withdrawal_id = w.id)]
      || array(select r.signature from payout_replacements r where r.withdrawal_id = w.id), null)`

const readBooked = sql({
  name: 'reconcile-read-payouts',
  params: { ids: 'uuid[]' },
  row: rowOf<Booked>(),
  text: ({ ids }) =>
    `select w.id::text, w.state, ${SIGNATURES} as signatures from withdrawals w where w.id = any(${ids})`,
})

/** A withdrawal in the books, with all transactions that were signed for it. */
type Booked = { id: string; state: WithdrawalState; signatures: Signature[] }

/** A finalized payout from the treasury that the books do not owe. */
export type UnowedPayout = {
  signature: Signature
  withdrawalId: string
  /** The wallet that received all of it; null if there is no single one. */
  wallet: string | null
  amount: bigint
  /** The state of the withdrawal; null if it is not in the books. */
  state: WithdrawalState | null
  /** How operators have handled it so far. */
  restored: RestoredPayout | null
}

export type PayoutsOnChain = {
  /** All transactions that paid a withdrawal from the treasury. */
  landed: ReadonlySet<Signature>
  unowed: readonly UnowedPayout[]
  /** Transactions about which the nodes do not agree at the moment. */
  unsure: readonly Signature[]
}

/** Compares the treasury's whole history with the books. Rejects with `ChainUnavailable`. */
export async function findUnowedPayouts(
  { db }: { db: Queryable },
  of: { chain: Chain; treasury: Address },
): Promise<PayoutsOnChain> {
  return compareWithBooks(db, await readTreasuryPayouts({ db }, of))
}

/** What a transaction of the treasury took out of it. `wallet` is null if no single wallet received all of it. */
type Spent = { wallet: string | null; amount: bigint }

/** The transactions in the treasury's history whose memos name withdrawals, with the effects of those that nobody knows. */
export type TreasuryPayouts = {
  names: ReadonlyMap<Signature, readonly NamedPayout[]>
  /** Null while the nodes do not agree about it; 'nothing' if it took nothing out of the treasury. */
  spent: ReadonlyMap<Signature, Spent | 'nothing' | null>
}

/**
 * Reads the treasury's whole history, and the transactions that the books do not owe now. Takes as long as the history is,
 * so no transaction may be open meanwhile. Rejects with `ChainUnavailable`.
 */
export async function readTreasuryPayouts(
  { db }: { db: Queryable },
  { chain, treasury }: { chain: Chain; treasury: Address },
): Promise<TreasuryPayouts> {
  const tokenAccount = await chain.tokenAccountOf(treasury)
  const history = await readTreasuryHistory(chain, { address: tokenAccount, cursor: null, pageSize: PAGE })
  if (history === null)
    throw new ChainUnavailable('Fewer than two nodes show the treasury’s history. Try again later.')
  const names = Map.groupBy(readPayoutMemos(history.items), (each) => each.signature)
  const { unknown } = await classify(db, names)
  const spent = new Map<Signature, Spent | 'nothing' | null>()
  const signatures = unknown.map(({ signature }) => signature)
  const ofTreasury = { owner: treasury, tokenAccount }
  for await (const [signature, receipt] of readAgreedReceipts(chain, signatures, ofTreasury))
    spent.set(signature, await findSpent(chain, receipt))
  return { names, spent }
}

// Anybody can write such a memo. Only the treasury's key can take tokens out of it.
async function findSpent(chain: Chain, receipt: Receipt | null): Promise<Spent | 'nothing' | null> {
  if (receipt === null) return null
  if (receipt.amount >= 0n) return 'nothing'
  return { wallet: await findOnlyRecipient(chain, receipt), amount: -receipt.amount }
}

/** Compares what was read with what the books say now. */
export async function compareWithBooks(
  db: Queryable,
  { names, spent }: TreasuryPayouts,
): Promise<PayoutsOnChain> {
  const { landed, handled, unknown } = await classify(db, names)
  const unowed = [...handled]
  const unsure: Signature[] = []
  for (const { signature, withdrawalId, state } of unknown) {
    // One that the books owed when the history was read is missing: it must be read.
    const found = spent.get(signature) ?? null
    if (found === null) unsure.push(signature)
    else if (found !== 'nothing') unowed.push({ signature, withdrawalId, state, restored: null, ...found })
  }
  for (const each of unowed) landed.add(each.signature)
  return { landed, unowed, unsure }
}

type Classified = {
  /** Transactions that paid a withdrawal that the books owe. */
  landed: Set<Signature>
  handled: readonly UnowedPayout[]
  unknown: readonly Pick<UnowedPayout, 'signature' | 'withdrawalId' | 'state'>[]
}

async function classify(db: Queryable, names: TreasuryPayouts['names']): Promise<Classified> {
  const byId = await readNamed(db, names)
  const restored = await readRestored(db)
  const stateOf = (id: string): WithdrawalState | null => byId.get(id)?.state ?? null
  const landed = new Set<Signature>()
  const handled: UnowedPayout[] = []
  const unknown: Classified['unknown'][number][] = []
  for (const [signature, named] of names) {
    const before = restored.get(signature)
    const withdrawalId = named[0]!.id
    if (named.some(({ id }) => isOwed(byId.get(id), signature))) landed.add(signature)
    else if (before) handled.push({ ...before, state: stateOf(before.withdrawalId), restored: before })
    else unknown.push({ signature, withdrawalId, state: stateOf(withdrawalId) })
  }
  return { landed, handled, unknown }
}

// A page at a time, by their keys: the signer ends a statement that takes longer than 20 s, and the history has no end.
async function readNamed(db: Queryable, names: TreasuryPayouts['names']): Promise<Map<string, Booked>> {
  const ids = [...names.values()].flatMap((each) => each.map(({ id }) => id))
  const byId = new Map<string, Booked>()
  for (let from = 0; from < ids.length; from += PAGE) {
    const rows = await db.rows(readBooked, { ids: ids.slice(from, from + PAGE) })
    for (const row of rows) byId.set(row.id, row)
  }
  return byId
}

const isOwed = (row: Booked | undefined, signature: Signature): boolean =>
  row !== undefined && row.state !== 'refunded' && row.signatures.includes(signature)

/** The wallet whose associated token account received the whole amount, or null. */
export async function findOnlyRecipient(
  chain: Chain,
  { amount, changes }: Pick<Receipt, 'amount' | 'changes'>,
): Promise<string | null> {
  const gains = changes.filter((change) => change.amount > 0n)
  const [only] = gains
  if (gains.length !== 1 || only!.amount !== -amount) return null
  return (await chain.tokenAccountOf(only!.owner)) === only!.account ? only!.owner : null
}

/** True while the signer may still settle the withdrawal by this transaction. Commands must not handle it. */
const waitsForSigner = ({ state }: UnowedPayout): boolean => state !== null && isOpen(state)

/** True if nothing is left to do about it. */
export const isDone = ({ restored }: UnowedPayout): boolean => restored !== null && isSettled(restored)

/** The payouts that can be taken back: open, and not left to the signer. */
export const openPayouts = ({ unowed }: Pick<PayoutsOnChain, 'unowed'>): UnowedPayout[] =>
  unowed.filter((each) => each.restored === null && !waitsForSigner(each))

/** Describes a payout that the books do not owe in one line: `<transaction>  5 $COTTON to <wallet>: OPEN`. */
export function describePayout(payout: UnowedPayout): string {
  const { signature, withdrawalId, wallet, amount, state } = payout
  const standing = state === null ? 'not in the books' : `${state} in the books`
  return `${signature}  ${formatExact(amount)} $COTTON to ${wallet ?? 'no single wallet'}, withdrawal ${withdrawalId} (${standing}): ${progress(payout)}`
}

function progress(payout: UnowedPayout): string {
  const { restored } = payout
  if (restored === null) return waitsForSigner(payout) ? 'WAITS for the signer' : 'OPEN'
  const debt = debtOf(restored)
  const done = [
    restored.deposited + restored.earned > 0n &&
      `taken back ${formatExact(restored.deposited)} deposited and ${formatExact(restored.earned)} earned`,
    restored.borne > 0n && `${formatExact(restored.borne)} paid from the pool`,
    debt > 0n && `${isSettled(restored) ? 'debt' : 'DEBT'} of ${formatExact(debt)}`,
    restored.acknowledgedBy !== null && `acknowledged by ${restored.acknowledgedBy}: ${restored.reason}`,
  ]
  return done.filter((part) => part !== false).join('; ')
}

/**
 * The open payout or debt of this transaction. Throws a `StartupError` if there is none, and `ChainUnavailable` while the
 * nodes do not agree about it.
 */
export function findOpen(
  { unowed, unsure }: Pick<PayoutsOnChain, 'unowed' | 'unsure'>,
  signature: string,
): UnowedPayout {
  if (unsure.some((each) => each === signature))
    throw new ChainUnavailable(`The nodes do not agree about payout ${signature}. Try again later.`)
  const found = unowed.find((each) => each.signature === signature)
  if (!found) throw new StartupError(`The chain shows no payout ${signature} that the books do not owe.`)
  if (isDone(found)) throw new StartupError(`It is already handled: ${describePayout(found)}.`)
  if (waitsForSigner(found)) throw new StartupError(`The signer will settle it: ${describePayout(found)}.`)
  return found
}

/** The part of such a payout that is not covered yet. */
export const leftOf = ({ restored, amount }: UnowedPayout): bigint =>
  restored === null ? amount : debtOf(restored)
