import { totalOf } from '#game/credit.ts'
import { readAgreedReceipts, readOutcomes } from '#server/chain/quorum.ts'
import type { Address, Nonce, Receipt, Signature } from '#server/chain/port.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { settleWithdrawal } from '#server/withdrawals/close-withdrawal.ts'
import { moveCursor, readCursor } from './history-cursor.ts'
import { OPEN_COLUMNS, type OpenWithdrawal } from '#server/withdrawals/open-withdrawals.ts'
import { type FoundPayout, type NamedPayout, readPayoutMemos } from './read-payout-memos.ts'
import { readTreasuryHistory } from './read-treasury-history.ts'
import type { Lanes } from '../nonces/renew-lanes.ts'
import type { StepDeps, TreasuryAddresses } from '../step-deps.ts'
import { UNOWED_SETTING } from '../acts/restored-payouts.ts'
import { findOnlyRecipient } from '../acts/find-unowed-payouts.ts'
import { UUID } from '../acts/find-withdrawal.ts'
import type { LoggedPayout, SignedPayoutLog } from './signed-payout-log.ts'
import { pauseWithdrawals } from '#server/withdrawals/withdrawal-pause.ts'

const PAGE = 1_000

/**
 * Anyone can name withdrawals in memos, and each such transaction costs a call to the nodes. A round ends with the slot in
 * which this limit is reached.
 */
const MAX_LOOKUPS_PER_ROUND = 400

/** `nonce` is that of the payout, and not that of the signed message, which a column of the same name hides. */
type NamedWithdrawal = Omit<OpenWithdrawal, 'nonce'> & {
  paidBy: Signature | null
  signatures: Signature[]
  nonce: Nonce | null
  nonceAccount: Address | null
}

const readNamed = sql({
  name: 'reconcile-read-named',
  params: { ids: 'uuid[]' },
  row: rowOf<NamedWithdrawal>(),
  text: ({
    ids,
  }) => `select ${OPEN_COLUMNS}, w.paid_by as "paidBy", p.nonce, l.nonce_account as "nonceAccount",
     array(
       select own.signature from payouts own where own.withdrawal_id = w.id
       union all
       select r.signature from payout_replacements r where r.withdrawal_id = w.id
     ) as signatures
   from withdrawals w left join payouts p on p.withdrawal_id = w.id left join lanes l on l.lane = p.lane
   where w.id = any(${ids})`,
})

const readSignedForOther = sql({
  name: 'reconcile-read-signed-for-other',
  params: { signature: 'text', id: 'uuid' },
  text: ({ signature, id }) =>
    `select from payouts where signature = ${signature} and withdrawal_id <> ${id}
     union all select from payout_replacements where signature = ${signature} and withdrawal_id <> ${id}`,
})

const insertFound = sql({
  name: 'reconcile-insert-found',
  params: { id: 'uuid', signature: 'text', at: 'timestamptz' },
  text: ({ id, signature, at }) =>
    `insert into payouts (withdrawal_id, signature, signed_at) values (${id}, ${signature}, ${at})
     on conflict do nothing`,
})

const insertReported = sql({
  name: 'reconcile-insert-reported',
  params: { name: 'text', payout: 'jsonb', at: 'timestamptz' },
  text: ({ name, payout, at }) =>
    `insert into settings (name, value, at) values (${name}, ${payout}, ${at}) on conflict do nothing returning name`,
})

/** What comparing payouts on the chain with the database needs. No key is among it. */
type ComparingDeps = StepDeps & TreasuryAddresses

export type ReconcileDeps = ComparingDeps & { lanes: Lanes }

/**
 * Reconciles the payouts in the treasury's history, found by their memos, with the database. A restored database may
 * not contain payouts that landed. If the withdrawal is still open it is settled; otherwise the payout is not owed, and
 * withdrawals are paused until the operator has checked it. False while the nodes disagree about a transaction, or when
 * there are more transactions than the round's limit: no new payout may be signed, and the next round continues there. Null
 * while only one of several nodes shows the history: nothing is known.
 */
export async function reconcilePayouts(deps: ReconcileDeps): Promise<boolean | null> {
  const { db, chain, clock, log, treasuryTokens } = deps
  const history = await readTreasuryHistory(chain, {
    address: treasuryTokens,
    cursor: await readCursor(db, 'payouts_read_to'),
    pageSize: PAGE,
    notBefore: latestSafeSlot(deps),
  })
  if (history === null) {
    log.warn('fewer than two nodes show the treasury’s history: it is read later')
    return null
  }
  const { items, shared } = history
  const open = await reconcileAll(deps, readPayoutMemos(items), { maxLookups: MAX_LOOKUPS_PER_ROUND })
  const reached = shared.at(-1)?.slot ?? -1n
  // Not within the slot that waits: nodes do not agree on the order there. In a gap of one node it follows the other.
  const newest = items.findLast(({ slot }) => slot <= reached && (open === null || slot < open))
  if (newest) await moveCursor(db, { name: 'payouts_read_to', to: newest, now: clock.now() })
  return open === null
}

// A node that lags behind the renewal of the lanes may not show the payouts that used their nonces before.
const latestSafeSlot = ({ lanes }: Pick<ReconcileDeps, 'lanes'>): bigint =>
  [...lanes.values()].reduce(
    (last, { safeSince: since }) => (since !== null && since > last ? since : last),
    0n,
  )

/**
 * The same for the payouts in the log of signed payouts that any node has seen. Nodes are asked only about those that the
 * database does not contain: the log has up to 100,000, and nothing is signed before this is done.
 */
export async function reconcileSigned(deps: ComparingDeps & { signed: SignedPayoutLog }): Promise<boolean> {
  const logged = deps.signed.newest()
  const missing = await findMissing(deps, logged)
  if (missing.length === 0) return true
  const signatures = missing.map((each) => each.signature)
  const outcomes = await readOutcomes(deps.chain, signatures)
  const seen = missing.filter((_, at) => outcomes[at] === 'landed' || outcomes[at] === 'seen')
  // All are looked up in one round, so their slots do not matter.
  const paid = seen.map((each) => ({ ...each, slot: 0n }))
  return (await reconcileAll(deps, paid, { maxLookups: Infinity })) === null
}

/** Those that the database does not contain as payouts of their withdrawals. A damaged line may have any id. */
async function findMissing(
  { db }: Pick<ComparingDeps, 'db'>,
  logged: readonly LoggedPayout[],
): Promise<LoggedPayout[]> {
  const missing: LoggedPayout[] = []
  for (let from = 0; from < logged.length; from += PAGE) {
    const page = logged.slice(from, from + PAGE)
    const ids = page.map(({ id }) => id).filter((id) => UUID.test(id))
    const rows = await db.rows(readNamed, { ids })
    const known = new Map(rows.map((row) => [row.id, row]))
    for (const each of page) if (!isOwnPayout(known.get(each.id), each.signature)) missing.push(each)
  }
  return missing
}

/**
 * Returns the slot of the first transaction that must wait: the nodes disagree about it, or the limit was reached. `paid` is
 * ordered by slot.
 */
async function reconcileAll(
  deps: ComparingDeps,
  paid: readonly FoundPayout[],
  { maxLookups }: { maxLookups: number },
): Promise<bigint | null> {
  const { chain, treasury, treasuryTokens } = deps
  const ofTreasury = { owner: treasury.address, tokenAccount: treasuryTokens }
  // One receipt is enough for all payouts that the memos of a transaction name.
  const transactions = [...Map.groupBy(paid, (each) => each.signature)]
  let open: bigint | null = null
  let lookupsLeft = maxLookups
  let lastSlot: bigint | null = null
  for (let from = 0; from < transactions.length; from += PAGE) {
    const page = transactions.slice(from, from + PAGE)
    const ids = page.flatMap(([, names]) => names.map((each) => each.id))
    const rows = await deps.db.rows(readNamed, { ids })
    const known = new Map(rows.map((row) => [row.id, row]))
    const unmatched = new Map(
      page.flatMap(([signature, names]) => {
        const others = names.filter((each) => !isOwnPayout(known.get(each.id), signature))
        return others.length > 0 ? [[signature, { slot: names[0]!.slot, names: others }] as const] : []
      }),
    )
    const found = [...unmatched]
    lastSlot ??= found[lookupsLeft - 1]?.[1].slot ?? null
    const within = found.filter(([, { slot }]) => lastSlot === null || slot <= lastSlot)
    const signatures = within.map(([signature]) => signature)
    for await (const [transaction, receipt] of readAgreedReceipts(chain, signatures, ofTreasury)) {
      const { slot, names } = unmatched.get(transaction)!
      if (receipt !== null && (await reconcileOne(deps, { receipt, names }, known))) continue
      open ??= slot
      deps.log.warn({ transaction }, 'the nodes disagree about a payout: nothing new is signed')
    }
    const next = found[within.length]
    if (next) {
      deps.log.warn({ maxLookups }, 'more memos name payouts than one round checks: nothing new is signed')
      return open ?? next[1].slot
    }
    lookupsLeft -= found.length
  }
  return open
}

type Payment = { receipt: Receipt; names: readonly NamedPayout[] }

/** False if the memo names another withdrawal than the one for which the database has the transaction. */
async function reconcileOne(
  deps: ComparingDeps,
  { receipt, names }: Payment,
  known: ReadonlyMap<string, NamedWithdrawal>,
): Promise<boolean> {
  // Anyone can write such a memo. Only the treasury's key can move tokens out of it.
  if (receipt.amount >= 0n) return true
  for (const paid of names) {
    const row = known.get(paid.id)
    if (row && (await canStillSettle(deps, row, receipt)) && (await isPaidTo(deps, row, receipt))) {
      if (await settleFound(deps, paid, row)) continue
    }
    if ((await deps.db.rows(readSignedForOther, paid)).length > 0) return false
    await reportUnowed(deps, paid, receipt)
  }
  return true
}

/** True if the transaction paid exactly the amount of the withdrawal to its wallet, and nothing to anyone else. */
async function isPaidTo(
  { chain }: ComparingDeps,
  named: NamedWithdrawal,
  { amount, changes }: Receipt,
): Promise<boolean> {
  const owner = named.wallet as Address
  const account = await chain.tokenAccountOf(owner)
  const gained = changes.find((change) => change.account === account && change.owner === owner)?.amount
  return gained === -amount && gained === totalOf(named)
}

// Players read this text, so it names no payout. The log names them, and `ops restored` lists them.
const UNOWED = 'The chain shows payouts that the books do not owe.'

/** Reports each payout once, so that it does not pause withdrawals again after the operator resumed them. */
async function reportUnowed(
  { db, chain, clock, log }: ComparingDeps,
  { id, signature }: NamedPayout,
  receipt: Receipt,
): Promise<void> {
  const now = clock.now()
  const amount = String(-receipt.amount)
  const name = `${UNOWED_SETTING}${signature}`
  const reported = { id, amount, wallet: await findOnlyRecipient(chain, receipt) }
  const isNew = await db.transaction(async (tx) => {
    if ((await tx.rows(insertReported, { name, payout: reported, at: now })).length === 0) return false
    await pauseWithdrawals(tx, { why: UNOWED, now })
    return true
  })
  if (!isNew) return
  const payout = { withdrawal: id, transaction: signature, amount }
  log.error(payout, 'the chain shows a payout that the ledger does not owe: see `ops restored`')
}

/** False if another transaction has settled the withdrawal in the meantime. */
async function settleFound(
  { db, clock, log }: ComparingDeps,
  { id, signature }: NamedPayout,
  { wallet }: NamedWithdrawal,
): Promise<boolean> {
  const settled = await db.transaction(async (tx) => {
    const now = clock.now()
    if (!(await settleWithdrawal(tx, { id, wallet, now, signature }))) return false
    tx.send(insertFound, { id, signature, at: now })
    return true
  })
  if (settled)
    log.warn({ withdrawal: id }, 'a payout on the chain that the database did not contain was settled')
  const [now] = await db.rows(readNamed, { ids: [id] })
  return isOwnPayout(now, signature)
}

/** True for one of the withdrawal's known attempts, which settlePayouts settles or has settled. */
function isOwnPayout(known: NamedWithdrawal | undefined, signature: Signature): boolean {
  if (!known || known.state === 'refunded') return false
  return known.paidBy === null ? known.signatures.includes(signature) : known.paidBy === signature
}

/**
 * True if no other payout of the withdrawal can still land: none is signed, or the nonce of the signed one is used. A node that
 * is behind this payout, which may have used the nonce, must not answer. Rejects with `ChainUnavailable`.
 */
async function canStillSettle(
  { chain }: ComparingDeps,
  { state, nonce, nonceAccount }: NamedWithdrawal,
  { slot }: Receipt,
): Promise<boolean> {
  if (state === 'requested' || state === 'review' || state === 'approved') return true
  if ((state !== 'signed' && state !== 'sent') || nonceAccount === null) return false
  return (await chain.nonceValue(nonceAccount, 'finalized', { notBefore: slot })) !== nonce
}
