import type { Credit } from '#game/credit.ts'
import type { Address, Nonce, Signature, Wire } from '#server/chain/port.ts'
import { type Db, type Queryable, sql, type Tx } from '#server/platform/db/db.ts'
import { WITHDRAWAL_REASONS, type WithdrawalReason } from '#contract/withdrawal-reasons.ts'
import type { WithdrawalState } from './read-withdrawals.ts'

/** A withdrawal that is not over, as the signer reads it. */
export type OpenWithdrawal = Credit & {
  id: string
  wallet: string
  holdId: string
  state: WithdrawalState
  reason: string | null
  reasons: string[]
  day: string
  /** When the signer first looked at it. */
  judgedAt: Date | null
  /** What its wallet signed; null where it was asked for before signatures were kept. */
  nonce: string | null
  walletSignature: Uint8Array | null
  beforeSignatures: boolean
  /** How often in a row the signer could not pay it, since it was approved. */
  tries: number
}

/** One transaction that was signed for a withdrawal. */
export type Attempt = { signature: Signature; wire: Wire; unitPrice: bigint; signedAt: Date }

/** What was signed for a withdrawal and is not final yet; `signature` and `wire` are those of the newest attempt. */
export type OpenPayout = {
  id: string
  wallet: string
  amount: bigint
  state: 'signed' | 'sent'
  lane: { nonceAccount: Address; nonce: Nonce }
  opensAccount: boolean
  /** The first one and its replacements, in their order; all on one nonce. */
  attempts: readonly Attempt[]
  signature: Signature
  wire: Wire
}

const AT_ONCE = 100

// Of the approved ones so many are looked at in a round: both together are one call to the chain.
const UNTRIED_AT_ONCE = 60
const RETRIED_AT_ONCE = 40

/** The columns of an `OpenWithdrawal`, of `withdrawals w`. */
export const OPEN_COLUMNS = `w.id::text, w.wallet, w.deposited, w.earned, w.hold_id::text as "holdId", w.state, w.reason, w.reasons,
  w.day::text, w.judged_at as "judgedAt", w.nonce, w.wallet_signature as "walletSignature",
  w.before_signatures as "beforeSignatures", w.tries`

// The order of the index, so that no row is read past and nothing is sorted.
const OLDEST_FIRST = 'w.retry_at, w.requested_at, w.id'

const readAsked = sql(
  'signer-read-requested',
  `select ${OPEN_COLUMNS} from withdrawals w where w.state = 'requested' order by ${OLDEST_FIRST} limit $1`,
)

const readUntried = sql(
  'signer-read-untried',
  `select ${OPEN_COLUMNS} from withdrawals w
   where w.state = 'approved' and w.retry_at is null order by ${OLDEST_FIRST} limit $1`,
)

const readRetried = sql(
  'signer-read-retried',
  `select ${OPEN_COLUMNS} from withdrawals w
   where w.state = 'approved' and w.retry_at <= $1 order by ${OLDEST_FIRST} limit $2`,
)

const postponeOne = sql(
  'signer-postpone',
  `update withdrawals set reason = $2, reasons = $3, tries = $4, retry_at = $5
   where id = $1 and state = 'approved' returning id`,
)

// Those that wait for something else say so already.
const explainUntried = sql(
  'signer-explain-untried',
  `update withdrawals set reason = $1, reasons = $2 where id in (
     select id from withdrawals where state = 'approved' and retry_at is null and reasons <> $2 limit $3
   ) and state = 'approved'`,
)

const lockOne = sql('signer-lock-one', `select ${OPEN_COLUMNS} from withdrawals w where w.id = $1 for update`)

const readPayouts = sql(
  'signer-read-payouts',
  `select w.id::text, w.wallet, w.deposited + w.earned as amount, w.state, p.lane, p.nonce,
     l.nonce_account as "nonceAccount", p.opens_account as "opensAccount",
     a.signature, encode(a.wire, 'base64') as wire, a.unit_price as "unitPrice", a.signed_at as "signedAt"
   from withdrawals w join payouts p on p.withdrawal_id = w.id
   left join lanes l on l.lane = p.lane
   cross join lateral (
     select 1 as attempt, p.signature, p.wire, p.unit_price, p.signed_at
     union all
     select r.attempt, r.signature, r.wire, r.unit_price, r.signed_at from payout_replacements r
     where r.withdrawal_id = w.id
   ) a
   where w.state in ('signed', 'sent') order by p.signed_at, w.id, a.attempt`,
)

const move = sql(
  'signer-move',
  `update withdrawals set state = $3, reason = $4, reasons = $5, tries = default, retry_at = default
   where id = $1 and state = $2 returning id`,
)

const writeVerdict = sql(
  'signer-write-verdict',
  `update withdrawals set state = $2, reason = $3, reasons = $4, judged_at = $5
   where id = $1 and state = 'requested' returning id`,
)

/** The oldest withdrawals that nobody has judged. */
export function readRequested(db: Db): Promise<OpenWithdrawal[]> {
  return db.rows<OpenWithdrawal>(readAsked, [AT_ONCE])
}

/**
 * The approved withdrawals to pay in one round: first those whose next try is due, then those that were never tried,
 * each the oldest first. However many cannot be paid, the others are reached.
 */
export async function readPayable(db: Db, now: Date): Promise<OpenWithdrawal[]> {
  const [retried, untried] = await Promise.all([
    db.rows<OpenWithdrawal>(readRetried, [now, RETRIED_AT_ONCE]),
    db.rows<OpenWithdrawal>(readUntried, [UNTRIED_AT_ONCE]),
  ])
  return [...retried, ...untried]
}

/** An approved withdrawal cannot be paid right now: its player reads why, and it is tried again at `retryAt`. */
export async function postponeWithdrawal(
  tx: Queryable,
  { id, reason, tries, retryAt }: { id: string; reason: WithdrawalReason; tries: number; retryAt: Date },
): Promise<void> {
  await tx.rows(postponeOne, [id, WITHDRAWAL_REASONS[reason], [reason], tries, retryAt])
}

/** Nothing can be paid right now: the players whose withdrawals were never tried read why. */
export async function explainWaiting(db: Db, reason: WithdrawalReason): Promise<void> {
  await db.rows(explainUntried, [WITHDRAWAL_REASONS[reason], [reason], 10 * AT_ONCE])
}

/** One withdrawal, locked until the transaction ends. */
export async function lockWithdrawal(tx: Tx, id: string): Promise<OpenWithdrawal | null> {
  return (await tx.rows<OpenWithdrawal>(lockOne, [id]))[0] ?? null
}

type PayoutRow = Omit<OpenPayout, 'lane' | 'attempts'> & Attempt & { nonce: Nonce; nonceAccount: Address }

/** Every payout that was signed and has not been settled, with all its attempts. */
export async function readOpenPayouts(db: Queryable): Promise<OpenPayout[]> {
  const found = new Map<string, OpenPayout>()
  for (const row of await db.rows<PayoutRow>(readPayouts)) {
    const { id, wallet, amount, state, opensAccount, nonce, nonceAccount, signature, unitPrice, signedAt } =
      row
    // Postgres breaks base64 into lines.
    const wire = row.wire.replaceAll('\n', '') as Wire
    const attempt = { signature, wire, unitPrice, signedAt }
    const attempts = [...(found.get(id)?.attempts ?? []), attempt]
    const lane = { nonceAccount, nonce }
    found.set(id, { id, wallet, amount, state, opensAccount, lane, attempts, signature, wire })
  }
  return [...found.values()]
}

type StateChange = { id: string; from: WithdrawalState; to: WithdrawalState; reasons?: WithdrawalReason[] }

/** Moves a withdrawal on; false where it is no longer in the state that it should leave. */
export async function moveWithdrawal(
  tx: Queryable,
  { id, from, to, reasons = [] }: StateChange,
): Promise<boolean> {
  return (await tx.rows(move, [id, from, to, firstReasonText(reasons), reasons])).length === 1
}

/** Keeps the verdict on a request, and when it was given; false where it is judged already. */
export async function recordVerdict(
  tx: Queryable,
  verdict: { id: string; state: WithdrawalState; reasons: WithdrawalReason[]; now: Date },
): Promise<boolean> {
  const { id, state, reasons, now } = verdict
  return (await tx.rows(writeVerdict, [id, state, firstReasonText(reasons), reasons, now])).length === 1
}

const firstReasonText = ([first]: readonly WithdrawalReason[]): string | null =>
  first === undefined ? null : WITHDRAWAL_REASONS[first]
