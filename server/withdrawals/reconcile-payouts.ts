import { totalOf } from '#game/credit.ts'
import { fatesOf, witness } from '#server/chain/agree.ts'
import type { Address, Chain, Nonce, Signature } from '#server/chain/port.ts'
import { readHistorySince } from '#server/deposits/read-arrivals.ts'
import { sql } from '#server/platform/db/db.ts'
import { settleWithdrawal } from './close-withdrawal.ts'
import { OPEN_COLUMNS, type OpenWithdrawal } from './open-withdrawals.ts'
import { type NamedPayout, payoutsIn } from './read-payout-memos.ts'
import type { Signer } from './signer.ts'
import { pauseWithdrawals } from './withdrawal-switch.ts'

const READ_TO = 'payouts_read_to'
const PAGE = 1_000

/** Anybody may name a withdrawal in a memo, and each name costs a look at the nodes: so many in a round. */
const LOOKS_IN_A_ROUND = 400

/** How many receipts are asked for at once. */
const AT_ONCE = 8

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
  `select ${OPEN_COLUMNS}, w.paid_by as "paidBy", p.nonce, l.nonce_account as "nonceAccount",
     array(
       select own.signature from payouts own where own.withdrawal_id = w.id
       union all
       select r.signature from payout_replacements r where r.withdrawal_id = w.id
     ) as signatures
   from withdrawals w left join payouts p on p.withdrawal_id = w.id left join lanes l on l.lane = p.lane
   where w.id = any($1::uuid[])`,
)

const keepFound = sql(
  'reconcile-keep-found',
  'insert into payouts (withdrawal_id, signature, signed_at) values ($1, $2, $3) on conflict do nothing',
)

const keepReported = sql(
  'reconcile-keep-reported',
  `insert into settings (name, value, at) values ('unowed:' || $1::text, to_jsonb($2::text), $3)
   on conflict do nothing returning name`,
)

type Named = OpenWithdrawal & {
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
  const [cursor] = await db.rows<{ signature: Signature }>(readCursor, [READ_TO])
  const items = await readHistorySince(chain, {
    address: treasuryTokens,
    cursor: cursor?.signature ?? null,
    pageSize: PAGE,
    commitment: 'finalized',
    notBefore: safeSince(signer),
  })
  const open = await holdAll(signer, payoutsIn(items), { most: LOOKS_IN_A_ROUND })
  const end = open ? items.findIndex((item) => item.signature === open.signature) : items.length
  const newest = items[end - 1]
  if (newest) await db.rows(moveCursor, [READ_TO, newest.signature, clock.now()])
  return open === null
}

// A node that is behind the renewed lanes may not show yet what used their nonces up before.
const safeSince = ({ lanes }: Signer): bigint =>
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
  const fates = await fatesOf(signer.chain, signatures)
  const shown = noted.filter((_, at) => fates[at] === 'landed' || fates[at] === 'seen')
  return (await holdAll(signer, shown, { most: Infinity })) === null
}

/** Holds them against the books; answers the first that the nodes do not agree on, or that no look was left for. */
async function holdAll(
  signer: Signer,
  paid: readonly NamedPayout[],
  { most }: { most: number },
): Promise<NamedPayout | null> {
  let open: NamedPayout | null = null
  let left = most
  for (let from = 0; from < paid.length; from += PAGE) {
    const page = paid.slice(from, from + PAGE)
    const rows = await signer.db.rows<Named>(readNamed, [page.map((each) => each.id)])
    const known = new Map(rows.map((row) => [row.id, row]))
    const odd = page.filter(({ id, signature }) => !isOrdinary(known.get(id), signature))
    for (const [each, lost] of await lossesOf(signer, odd.slice(0, left))) {
      if (lost !== null && (await hold(signer, { ...each, lost }, known.get(each.id) ?? null))) continue
      open ??= each
      const { id: withdrawal, signature: transaction } = each
      signer.log.warn({ withdrawal, transaction }, 'the nodes do not agree on what a payout was: it waits')
    }
    if (odd.length > left) {
      signer.log.warn({ looks: most }, 'more memos name payouts than a round looks at: nothing new is signed')
      return open ?? odd[left]!
    }
    left -= odd.length
  }
  return open
}

/** What each of these transactions took out of the treasury, a negative amount; null while the nodes do not agree. */
async function lossesOf(
  signer: Signer,
  paid: readonly NamedPayout[],
): Promise<[NamedPayout, bigint | null][]> {
  const { treasury, treasuryTokens } = signer
  const ofTreasury = { owner: treasury.address, tokenAccount: treasuryTokens }
  const losses: [NamedPayout, bigint | null][] = []
  for (let from = 0; from < paid.length; from += AT_ONCE) {
    const some = paid.slice(from, from + AT_ONCE)
    const told = some.map(async (each): Promise<[NamedPayout, bigint | null]> => {
      return [each, await changeOf(signer, each.signature, ofTreasury)]
    })
    losses.push(...(await Promise.all(told)))
  }
  return losses
}

/** False while the nodes do not agree on what the transaction did. */
async function hold(
  signer: Signer,
  paid: NamedPayout & { lost: bigint },
  known: Named | null,
): Promise<boolean> {
  const { db, clock, log } = signer
  const { id, signature, lost } = paid
  // Anybody may write such a memo; only the treasury's own key takes tokens out of it.
  if (lost >= 0n) return true
  if (known && (await isOpen(signer, known))) {
    const gained = await changeOf(signer, signature, await accountOf(signer, known))
    if (gained === null) return false
    if (gained === -lost && gained === totalOf(known) && (await settleFound(signer, paid, known))) return true
  }
  // Said once: whoever resumes has seen it.
  if ((await db.rows(keepReported, [signature, id, clock.now()])).length === 0) return true
  log.error({ withdrawal: id, transaction: signature }, 'the chain shows a payout that the books do not owe')
  const why = `transaction ${signature} paid withdrawal ${id}, which the books do not owe`
  await pauseWithdrawals(db, { why, now: clock.now() })
  return true
}

/** False where another transaction has settled it by now. */
async function settleFound(
  { db, clock, log }: Signer,
  { id, signature }: NamedPayout,
  { wallet }: Named,
): Promise<boolean> {
  const settled = await db.transaction(async (tx) => {
    const now = clock.now()
    if (!(await settleWithdrawal(tx, { id, wallet, now, signature }))) return false
    await tx.rows(keepFound, [id, signature, now])
    return true
  })
  if (settled) log.warn({ withdrawal: id }, 'a payout was found on the chain that the books had forgotten')
  const [now] = await db.rows<Named>(readNamed, [[id]])
  return isOrdinary(now, signature)
}

/** One of its own attempts, which the ordinary way settles or has settled; nothing else was paid for it. */
function isOrdinary(known: Named | undefined, signature: Signature): boolean {
  if (!known || known.state === 'refunded') return false
  return known.paidBy === null ? known.signatures.includes(signature) : known.paidBy === signature
}

/** True where nothing else can still land for it: nothing is signed, or what is signed stands on a used nonce. */
async function isOpen({ chain }: Signer, { state, nonce, nonceAccount }: Named): Promise<boolean> {
  if (state === 'requested' || state === 'review' || state === 'approved') return true
  if ((state !== 'signed' && state !== 'sent') || nonceAccount === null) return false
  return (await chain.nonceValue(nonceAccount, 'finalized')) !== nonce
}

type Account = Parameters<Chain['receipt']>[1]

async function accountOf({ chain }: Signer, { wallet }: Named): Promise<Account> {
  const owner = wallet as Address
  return { owner, tokenAccount: await chain.tokenAccountOf(owner) }
}

/** By how much a final transaction changed an account, base units; null while the nodes do not show it alike. */
async function changeOf({ chain }: Signer, signature: Signature, of: Account): Promise<bigint | null> {
  const receipt = await chain.receipt(signature, of, 'finalized')
  if (receipt === null || (await witness(chain, receipt, of)) !== 'agreed') return null
  return receipt.amount
}
