import { totalOf } from '#game/credit.ts'
import { readAgreedReceipt, readOutcomes } from '#server/chain/quorum.ts'
import type { Address, Nonce, Receipt, Signature } from '#server/chain/port.ts'
import { readHistorySince } from '#server/deposits/read-arrivals.ts'
import { sql } from '#server/platform/db/db.ts'
import { settleWithdrawal } from '#server/withdrawals/close-withdrawal.ts'
import { moveCursor, readCursor } from './history-cursor.ts'
import { OPEN_COLUMNS, type OpenWithdrawal } from '#server/withdrawals/open-withdrawals.ts'
import { type NamedPayout, readPayoutMemos } from './read-payout-memos.ts'
import type { Signer } from '../signer.ts'
import { pauseWithdrawals } from '#server/withdrawals/withdrawal-pause.ts'

const PAGE = 1_000

/** Anybody may name withdrawals in memos, and each such transaction costs a call to the nodes: so many in a round. */
const MAX_LOOKUPS_PER_ROUND = 400

/** How many receipts are asked for at once. */
const AT_ONCE = 8

const readNamed = sql(
  'reconcile-read-named',
  `select ${OPEN_COLUMNS}, w.paid_by as "paidBy", p.nonce, l.nonce_account as "nonceAccount",
     array(
       select own.signature from payouts own where own.withdrawal_id = w.id
       union all
       select r.signature from payout_replacements r where r.withdrawal_id = w.id
     ) as signatures
   from withdrawals w left join payouts p on p.withdrawal_id = w.id left join lanes l on l.lane = p.lane
   where w.id = any($1::uuid[])`,
)

const readSignedForOther = sql(
  'reconcile-read-signed-for-other',
  `select from payouts where signature = $1 and withdrawal_id <> $2
   union all select from payout_replacements where signature = $1 and withdrawal_id <> $2`,
)

const insertFound = sql(
  'reconcile-insert-found',
  'insert into payouts (withdrawal_id, signature, signed_at) values ($1, $2, $3) on conflict do nothing',
)

const insertReported = sql(
  'reconcile-insert-reported',
  `insert into settings (name, value, at) values ('unowed:' || $1::text, to_jsonb($2::text), $3)
   on conflict do nothing returning name`,
)

type NamedWithdrawal = OpenWithdrawal & {
  paidBy: Signature | null
  signatures: Signature[]
  nonce: Nonce | null
  nonceAccount: Address | null
}

/**
 * Reads what the treasury has paid out, by the memos of its transactions and by the signer's own list of what it
 * signed, and holds it against the books. After a backup was restored the books may not know of payouts that did land:
 * one whose withdrawal still stands open is settled; one that the books do not owe pauses withdrawals until the
 * operator has looked. False while the nodes do not agree on one of them, or while more is to be looked at than a round
 * looks at: nothing new may be signed, and it goes on from there.
 */
export async function reconcilePayouts(signer: Signer): Promise<boolean> {
  const { db, chain, clock, treasuryTokens } = signer
  const items = await readHistorySince(chain, {
    address: treasuryTokens,
    cursor: await readCursor(db, 'payouts_read_to'),
    pageSize: PAGE,
    commitment: 'finalized',
    notBefore: latestSafeSlot(signer),
  })
  const open = await reconcileAll(signer, readPayoutMemos(items), { maxLookups: MAX_LOOKUPS_PER_ROUND })
  const end = open ? items.findIndex((item) => item.signature === open) : items.length
  const newest = items[end - 1]
  if (newest) await moveCursor(db, { name: 'payouts_read_to', signature: newest.signature, now: clock.now() })
  return open === null
}

// A node that is behind the renewed lanes may not show yet what used their nonces up before.
const latestSafeSlot = ({ lanes }: Signer): bigint =>
  [...lanes.values()].reduce(
    (last, { safeSince: since }) => (since !== null && since > last ? since : last),
    0n,
  )

/**
 * What the signer's own list names and any node shows, held against the books like the chain's history; false as there.
 */
export async function reconcileSigned(signer: Signer): Promise<boolean> {
  const noted = signer.signed.all()
  if (noted.length === 0) return true
  const signatures = noted.map((each) => each.signature)
  const outcomes = await readOutcomes(signer.chain, signatures)
  const shown = noted.filter((_, at) => outcomes[at] === 'landed' || outcomes[at] === 'seen')
  return (await reconcileAll(signer, shown, { maxLookups: Infinity })) === null
}

/** What one transaction says to pay: one receipt answers for all of it. */
type Transaction = readonly [signature: Signature, names: readonly NamedPayout[]]

/** Holds them against the books; answers the first that the nodes do not agree on, or that no call was left for. */
async function reconcileAll(
  signer: Signer,
  paid: readonly NamedPayout[],
  { maxLookups }: { maxLookups: number },
): Promise<Signature | null> {
  const transactions = [...Map.groupBy(paid, (each) => each.signature)]
  let open: Signature | null = null
  let lookupsLeft = maxLookups
  for (let from = 0; from < transactions.length; from += PAGE) {
    const page = transactions.slice(from, from + PAGE)
    const ids = page.flatMap(([, names]) => names.map((each) => each.id))
    const rows = await signer.db.rows<NamedWithdrawal>(readNamed, [ids])
    const known = new Map(rows.map((row) => [row.id, row]))
    const unmatched = page
      .map(([signature, names]): Transaction => [
        signature,
        names.filter((each) => !isOwnPayout(known.get(each.id), signature)),
      ])
      .filter(([, names]) => names.length > 0)
    for (const [[transaction, names], receipt] of await readReceipts(
      signer,
      unmatched.slice(0, lookupsLeft),
    )) {
      if (receipt !== null && (await reconcileOne(signer, { receipt, names }, known))) continue
      open ??= transaction
      signer.log.warn({ transaction }, 'the nodes do not agree on what a payout was: it waits')
    }
    if (unmatched.length > lookupsLeft) {
      signer.log.warn(
        { lookups: maxLookups },
        'more memos name payouts than a round looks at: nothing new is signed',
      )
      return open ?? unmatched[lookupsLeft]![0]
    }
    lookupsLeft -= unmatched.length
  }
  return open
}

/** What each of these transactions did; null while the nodes do not agree. */
async function readReceipts(
  { chain, treasury, treasuryTokens }: Signer,
  transactions: readonly Transaction[],
): Promise<[Transaction, Receipt | null][]> {
  const ofTreasury = { owner: treasury.address, tokenAccount: treasuryTokens }
  const receipts: [Transaction, Receipt | null][] = []
  for (let from = 0; from < transactions.length; from += AT_ONCE) {
    const some = transactions.slice(from, from + AT_ONCE)
    const asked = some.map(async (each): Promise<[Transaction, Receipt | null]> => {
      return [each, await readAgreedReceipt(chain, each[0], ofTreasury)]
    })
    receipts.push(...(await Promise.all(asked)))
  }
  return receipts
}

type Payment = { receipt: Receipt; names: readonly NamedPayout[] }

/** False where the history says otherwise of a transaction than the books, which signed it for another withdrawal. */
async function reconcileOne(
  signer: Signer,
  { receipt, names }: Payment,
  known: ReadonlyMap<string, NamedWithdrawal>,
): Promise<boolean> {
  // Anybody may write such a memo; only the treasury's own key takes tokens out of it.
  if (receipt.amount >= 0n) return true
  for (const paid of names) {
    const row = known.get(paid.id)
    if (row && (await canStillSettle(signer, row)) && (await isPaidTo(signer, row, receipt))) {
      if (await settleFound(signer, paid, row)) continue
    }
    if ((await signer.db.rows(readSignedForOther, [paid.signature, paid.id])).length > 0) return false
    await reportUnowed(signer, paid, receipt)
  }
  return true
}

/** True where the transaction gave the withdrawal's wallet all that it asks for, and nobody else anything. */
async function isPaidTo(
  { chain }: Signer,
  named: NamedWithdrawal,
  { amount, changes }: Receipt,
): Promise<boolean> {
  const owner = named.wallet as Address
  const account = await chain.tokenAccountOf(owner)
  const gained = changes.find((change) => change.account === account && change.owner === owner)?.amount
  return gained === -amount && gained === totalOf(named)
}

// Players read it, and always the same words: which payouts they are stands in the log, and `ops restored` lists them.
const UNOWED = 'The chain shows payouts that the books do not owe.'

/** Reported once: whoever resumes has seen it. */
async function reportUnowed(
  { db, clock, log }: Signer,
  { id, signature }: NamedPayout,
  { amount }: Receipt,
): Promise<void> {
  const now = clock.now()
  const isNew = await db.transaction(async (tx) => {
    if ((await tx.rows(insertReported, [signature, id, now])).length === 0) return false
    await pauseWithdrawals(tx, { why: UNOWED, now })
    return true
  })
  if (!isNew) return
  const payout = { withdrawal: id, transaction: signature, amount: String(-amount) }
  log.error(payout, 'the chain shows a payout that the books do not owe: see `ops restored`')
}

/** False where another transaction has settled it by now. */
async function settleFound(
  { db, clock, log }: Signer,
  { id, signature }: NamedPayout,
  { wallet }: NamedWithdrawal,
): Promise<boolean> {
  const settled = await db.transaction(async (tx) => {
    const now = clock.now()
    if (!(await settleWithdrawal(tx, { id, wallet, now, signature }))) return false
    await tx.rows(insertFound, [id, signature, now])
    return true
  })
  if (settled) log.warn({ withdrawal: id }, 'a payout was found on the chain that the books had forgotten')
  const [now] = await db.rows<NamedWithdrawal>(readNamed, [[id]])
  return isOwnPayout(now, signature)
}

/** One of its own attempts, which the ordinary way settles or has settled; nothing else was paid for it. */
function isOwnPayout(known: NamedWithdrawal | undefined, signature: Signature): boolean {
  if (!known || known.state === 'refunded') return false
  return known.paidBy === null ? known.signatures.includes(signature) : known.paidBy === signature
}

/** True where nothing else can still land for it: nothing is signed, or what is signed stands on a used nonce. */
async function canStillSettle(
  { chain }: Signer,
  { state, nonce, nonceAccount }: NamedWithdrawal,
): Promise<boolean> {
  if (state === 'requested' || state === 'review' || state === 'approved') return true
  if ((state !== 'signed' && state !== 'sent') || nonceAccount === null) return false
  return (await chain.nonceValue(nonceAccount, 'finalized')) !== nonce
}
