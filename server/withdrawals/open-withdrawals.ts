import type { Credit } from '#game/credit.ts'
import type { Address, Nonce, Signature, Wire } from '#server/chain/port.ts'
import { type Db, sql, type Tx } from '#server/platform/db/db.ts'
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

/** The columns of an `OpenWithdrawal`, of `withdrawals w`. */
export const OPEN_COLUMNS = `w.id::text, w.wallet, w.deposited, w.earned, w.hold_id::text as "holdId", w.state, w.reason, w.reasons,
  w.day::text, w.judged_at as "judgedAt", w.nonce, w.wallet_signature as "walletSignature",
  w.before_signatures as "beforeSignatures"`

const readOpen = sql(
  'signer-read-open',
  `select ${OPEN_COLUMNS} from withdrawals w where w.state = $1 order by w.requested_at, w.id limit $2`,
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
  `update withdrawals set state = $3, reason = $4, reasons = $5 where id = $1 and state = $2 returning id`,
)

const judgeOne = sql(
  'signer-judge',
  `update withdrawals set state = $2, reason = $3, reasons = $4, judged_at = $5
   where id = $1 and state = 'requested' returning id`,
)

/** The oldest withdrawals in a state. */
export function readWithdrawalsIn(db: Db, state: WithdrawalState): Promise<OpenWithdrawal[]> {
  return db.rows<OpenWithdrawal>(readOpen, [state, AT_ONCE])
}

/** One withdrawal, locked until the transaction ends. */
export async function lockWithdrawal(tx: Tx, id: string): Promise<OpenWithdrawal | null> {
  return (await tx.rows<OpenWithdrawal>(lockOne, [id]))[0] ?? null
}

type PayoutRow = Omit<OpenPayout, 'lane' | 'attempts'> & Attempt & { nonce: Nonce; nonceAccount: Address }

/** Every payout that was signed and has not been settled, with all its attempts. */
export async function readOpenPayouts(db: Tx): Promise<OpenPayout[]> {
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

type Moving = { id: string; from: WithdrawalState; to: WithdrawalState; reasons?: WithdrawalReason[] }

/** Moves a withdrawal on; false where it is no longer in the state that it should leave. */
export async function moveWithdrawal(tx: Tx, { id, from, to, reasons = [] }: Moving): Promise<boolean> {
  return (await tx.rows(move, [id, from, to, inWords(reasons), reasons])).length === 1
}

/** Keeps the verdict on a request, and when it was given; false where it is judged already. */
export async function judgeWithdrawal(
  tx: Tx,
  verdict: { id: string; state: WithdrawalState; reasons: WithdrawalReason[]; now: Date },
): Promise<boolean> {
  const { id, state, reasons, now } = verdict
  return (await tx.rows(judgeOne, [id, state, inWords(reasons), reasons, now])).length === 1
}

const inWords = ([first]: readonly WithdrawalReason[]): string | null =>
  first === undefined ? null : WITHDRAWAL_REASONS[first]
