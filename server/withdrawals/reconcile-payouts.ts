import { totalOf } from '#game/credit.ts'
import { type Address, type HistoryItem, memoTexts, type Signature } from '#server/chain/port.ts'
import { readHistorySince } from '#server/deposits/read-arrivals.ts'
import { sql } from '#server/platform/db/db.ts'
import { settleWithdrawal } from './close-withdrawal.ts'
import type { OpenWithdrawal } from './open-withdrawals.ts'
import type { Signer } from './signer.ts'
import { pauseWithdrawals } from './withdrawal-switch.ts'

const READ_TO = 'payouts_read_to'
const PAGE = 1_000

const readCursor = sql(
  'reconcile-read-cursor',
  `select value ->> 'signature' as signature from settings where name = $1`,
)

const moveCursor = sql(
  'reconcile-move-cursor',
  `insert into settings (name, value, at) values ($1, jsonb_build_object('signature', $2::text), $3)
   on conflict (name) do update set value = excluded.value, at = excluded.at`,
)

const readNamed = sql(
  'reconcile-read-named',
  `select w.id::text, w.wallet, w.deposited, w.earned, w.hold_id::text as "holdId", w.state, w.reason, w.day::text, p.signature
   from withdrawals w left join payouts p on p.withdrawal_id = w.id where w.id = any($1::uuid[])`,
)

const keepFound = sql(
  'reconcile-keep-found',
  'insert into payouts (withdrawal_id, signature, signed_at) values ($1, $2, $3)',
)

type Named = OpenWithdrawal & { signature: Signature | null }
type Paid = { id: string; signature: Signature }

/**
 * Reads what the treasury has paid out, by the memos of its transactions, and holds it against the books. After a
 * backup was restored the books may not know of payouts that did land: one whose withdrawal still stands open is
 * settled; one that the books do not owe pauses withdrawals until the operator has looked.
 */
export async function reconcilePayouts(signer: Signer): Promise<void> {
  const { db, chain, clock, treasuryTokens } = signer
  const [cursor] = await db.rows<{ signature: Signature }>(readCursor, [READ_TO])
  const items = await readHistorySince(chain, {
    address: treasuryTokens,
    cursor: cursor?.signature ?? null,
    pageSize: PAGE,
    commitment: 'finalized',
  })
  const paid = items.flatMap(paidBy)
  const rows = await db.rows<Named>(readNamed, [paid.map((each) => each.id)])
  const known = new Map(rows.map((row) => [row.id, row]))
  for (const each of paid) await hold(signer, each, known.get(each.id) ?? null)
  const newest = items.at(-1)
  if (newest) await db.rows(moveCursor, [READ_TO, newest.signature, clock.now()])
}

const MEMO = /^w:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

function paidBy({ memo, failed, signature }: HistoryItem): Paid[] {
  if (failed) return []
  return memoTexts(memo).flatMap((text) => {
    const id = MEMO.exec(text)?.[1]
    return id ? [{ id, signature }] : []
  })
}

async function hold(signer: Signer, paid: Paid, known: Named | null): Promise<void> {
  const { db, clock, log } = signer
  // Its own signature: the ordinary way settles it.
  if (known?.signature === paid.signature) return
  const spent = await spentBy(signer, paid.signature)
  // Anybody may write such a memo; only the treasury's own key takes tokens out of it.
  if (spent === 0n) return
  if (known && known.signature === null && isOpen(known) && (await isPayoutOf(signer, paid, known, spent))) {
    log.warn({ withdrawal: paid.id }, 'a payout was found on the chain that the books had forgotten')
    await db.transaction(async (tx) => {
      const now = clock.now()
      const { id, signature } = paid
      if (await settleWithdrawal(tx, { id, wallet: known.wallet, now, signature })) {
        await tx.rows(keepFound, [id, signature, now])
      }
    })
    return
  }
  log.error(
    { withdrawal: paid.id, transaction: paid.signature },
    'the chain shows a payout that the books do not owe',
  )
  const why = `transaction ${paid.signature} paid withdrawal ${paid.id}, which the books do not owe`
  await pauseWithdrawals(db, { why, now: clock.now() })
}

const isOpen = ({ state }: Named): boolean =>
  state === 'requested' || state === 'review' || state === 'approved'

async function spentBy({ chain, treasury, treasuryTokens }: Signer, signature: Signature): Promise<bigint> {
  const of = { owner: treasury.address, tokenAccount: treasuryTokens }
  const receipt = await chain.receipt(signature, of, 'finalized')
  return receipt && receipt.amount < 0n ? -receipt.amount : 0n
}

async function isPayoutOf(
  { chain }: Signer,
  { signature }: Paid,
  known: Named,
  spent: bigint,
): Promise<boolean> {
  const owner = known.wallet as Address
  const tokenAccount = await chain.tokenAccountOf(owner)
  const receipt = await chain.receipt(signature, { owner, tokenAccount }, 'finalized')
  return spent === totalOf(known) && receipt?.amount === spent
}
