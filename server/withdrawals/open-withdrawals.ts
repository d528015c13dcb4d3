import type { Credit } from '#game/credit.ts'
import type { Address, Nonce, Signature, Wire } from '#server/chain/port.ts'
import { type Db, type Queryable, rowOf, sql, type Tx } from '#server/platform/db/db.ts'
import { WITHDRAWAL_REASONS, type WithdrawalReason } from '#contract/withdrawal-reasons.ts'
import type { WithdrawalState } from './read-withdrawals.ts'

/** A withdrawal that is neither paid nor refunded, as the signer reads it. */
export type OpenWithdrawal = Credit & {
  id: string
  wallet: string
  holdId: string
  state: WithdrawalState
  reasons: string[]
  day: string
  /** When the signer last reviewed it. It reviews one again after its wallet was unfrozen. */
  judgedAt: Date | null
  /** Nonce of the signed message. */
  nonce: string
  walletSignature: Uint8Array
  /** The name of the form in which the wallet signed. */
  signedForm: string
  /** When its player cancelled it. It must not be signed. */
  cancelledAt: Date | null
  /** The seal of the signer's policy, if it approved this withdrawal. */
  verdictMac: Uint8Array | null
  /** How many times in a row the signer could not pay it since its approval. */
  tries: number
}

/** A transaction that was signed for a withdrawal. */
export type Attempt = { signature: Signature; wire: Wire; unitPrice: bigint; signedAt: Date }

/** A signed payout that is not settled. `signature` and `wire` are those of the newest attempt. */
export type OpenPayout = {
  id: string
  wallet: string
  amount: bigint
  state: 'signed' | 'sent'
  lane: { nonceAccount: Address; nonce: Nonce }
  opensAccount: boolean
  /** The first attempt and its replacements, oldest first. All use the same nonce. */
  attempts: readonly Attempt[]
  signature: Signature
  wire: Wire
}

const AT_ONCE = 100

// How many approved withdrawals one round considers. One call to the chain reads the token accounts of all of them.
const UNTRIED_AT_ONCE = 60
const RETRIED_AT_ONCE = 40

/** The columns of an `OpenWithdrawal`, of `withdrawals w`. */
export const OPEN_COLUMNS = `w.id::text, w.wallet, w.deposited, w.earned, w.hold_id::text as "holdId", w.state, w.reasons,
  w.day::text, w.judged_at as "judgedAt", w.nonce, w.wallet_signature as "walletSignature",
  w.signed_form as "signedForm", w.tries, w.cancelled_at as "cancelledAt", w.verdict_mac as "verdictMac"`

// The order of the index, so that Postgres neither skips rows nor sorts.
const OLDEST_FIRST = 'w.cancelled_at, w.retry_at, w.requested_at, w.id'

const readRequestedRows = sql({
  name: 'signer-read-requested',
  params: { limit: 'integer' },
  row: rowOf<OpenWithdrawal>(),
  text: ({ limit }) => `select ${OPEN_COLUMNS} from withdrawals w
    where w.state = 'requested' and w.cancelled_at is null order by ${OLDEST_FIRST} limit ${limit}`,
})

const readUntried = sql({
  name: 'signer-read-untried',
  params: { limit: 'integer' },
  row: rowOf<OpenWithdrawal>(),
  text: ({ limit }) => `select ${OPEN_COLUMNS} from withdrawals w
    where w.state = 'approved' and w.retry_at is null and w.cancelled_at is null order by ${OLDEST_FIRST} limit ${limit}`,
})

/** The longest delay of a retry. */
export const LONGEST_RETRY_MS = 10 * 60_000

// A retry that is further away was set while the clock was ahead. It is due now.
const readRetried = sql({
  name: 'signer-read-retried',
  params: { now: 'timestamptz', latest: 'timestamptz', limit: 'integer' },
  row: rowOf<OpenWithdrawal>(),
  text: ({ now, latest, limit }) => {
    const those = (due: string) =>
      `(select ${OPEN_COLUMNS} from withdrawals w
       where w.state = 'approved' and w.cancelled_at is null and ${due} order by ${OLDEST_FIRST} limit ${limit})`
    return `select * from (${those(`w.retry_at <= ${now}`)} union all ${those(`w.retry_at > ${latest}`)}) due limit ${limit}`
  },
})

const postponeOne = sql({
  name: 'signer-postpone',
  params: { id: 'uuid', reason: 'text', reasons: 'text[]', tries: 'integer', retryAt: 'timestamptz' },
  text: ({ id, reason, reasons, tries, retryAt }) =>
    `update withdrawals set reason = ${reason}, reasons = ${reasons}, tries = ${tries}, retry_at = ${retryAt}
     where id = ${id} and state = 'approved' returning id`,
})

// Withdrawals that were tried before already show their own reason.
const explainUntried = sql({
  name: 'signer-explain-untried',
  params: { reason: 'text', reasons: 'text[]', limit: 'integer' },
  text: ({
    reason,
    reasons,
    limit,
  }) => `update withdrawals set reason = ${reason}, reasons = ${reasons} where id in (
      select id from withdrawals where state = 'approved' and cancelled_at is null and retry_at is null and reasons <> ${reasons} limit ${limit}
    ) and state = 'approved'`,
})

const lockOne = sql({
  name: 'signer-lock-one',
  params: { id: 'uuid' },
  row: rowOf<OpenWithdrawal>(),
  text: ({ id }) => `select ${OPEN_COLUMNS} from withdrawals w where w.id = ${id} for update`,
})

type PayoutRow = Omit<OpenPayout, 'lane' | 'attempts'> & Attempt & { nonce: Nonce; nonceAccount: Address }

const readPayouts = sql({
  name: 'signer-read-payouts',
  row: rowOf<PayoutRow>(),
  text: `select w.id::text, w.wallet, w.deposited + w.earned as amount, w.state, p.nonce,
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
})

const move = sql({
  name: 'signer-move',
  params: { id: 'uuid', from: 'text', to: 'text', reason: 'text | null', reasons: 'text[]' },
  text: ({ id, from, to, reason, reasons }) =>
    `update withdrawals set state = ${to}, reason = ${reason}, reasons = ${reasons}, tries = default,
       retry_at = default, verdict_mac = case when ${to} = 'review' then null else verdict_mac end
     where id = ${id} and state = ${from} returning id`,
})

const writeVerdict = sql({
  name: 'signer-write-verdict',
  params: {
    id: 'uuid',
    state: 'text',
    reason: 'text | null',
    reasons: 'text[]',
    mac: 'bytea | null',
    at: 'timestamptz',
  },
  text: ({ id, state, reason, reasons, mac, at }) =>
    `update withdrawals set state = ${state}, reason = ${reason}, reasons = ${reasons}, judged_at = ${at}, verdict_mac = ${mac}
     where id = ${id} and state = 'requested' returning id`,
})

/** The oldest withdrawals that were not reviewed yet. */
export function readRequested(db: Db): Promise<OpenWithdrawal[]> {
  return db.rows(readRequestedRows, { limit: AT_ONCE })
}

/**
 * The approved withdrawals to pay in one round: those whose retry is due, then those never tried, each oldest first.
 * Separate limits keep withdrawals that cannot be paid from delaying the others.
 */
export async function readPayable(db: Db, now: Date): Promise<OpenWithdrawal[]> {
  const [retried, untried] = await Promise.all([
    db.rows(readRetried, { now, latest: new Date(now.getTime() + LONGEST_RETRY_MS), limit: RETRIED_AT_ONCE }),
    db.rows(readUntried, { limit: UNTRIED_AT_ONCE }),
  ])
  return [...retried, ...untried]
}

/** Records why an approved withdrawal cannot be paid now, for its player, and when it is retried. */
export async function postponeWithdrawal(
  db: Queryable,
  { id, reason, tries, retryAt }: { id: string; reason: WithdrawalReason; tries: number; retryAt: Date },
): Promise<void> {
  await db.rows(postponeOne, {
    id,
    reason: WITHDRAWAL_REASONS[reason],
    reasons: [reason],
    tries,
    retryAt,
  })
}

/** Records why nothing can be paid now, for the players whose withdrawals were never tried. */
export async function explainWaiting(db: Db, reason: WithdrawalReason): Promise<void> {
  await db.rows(explainUntried, {
    reason: WITHDRAWAL_REASONS[reason],
    reasons: [reason],
    limit: 10 * AT_ONCE,
  })
}

/** Locks a withdrawal until the transaction ends; null if it does not exist. */
export async function lockWithdrawal(tx: Tx, id: string): Promise<OpenWithdrawal | null> {
  return (await tx.rows(lockOne, { id }))[0] ?? null
}

/** Every signed payout that is not settled, with all its attempts. */
export async function readOpenPayouts(db: Queryable): Promise<OpenPayout[]> {
  const found = new Map<string, OpenPayout>()
  for (const row of await db.rows(readPayouts)) {
    const { id, wallet, amount, state, opensAccount, nonce, nonceAccount, signature, unitPrice, signedAt } =
      row
    // Postgres inserts line breaks into base64.
    const wire = row.wire.replaceAll('\n', '') as Wire
    const attempt = { signature, wire, unitPrice, signedAt }
    const attempts = [...(found.get(id)?.attempts ?? []), attempt]
    const lane = { nonceAccount, nonce }
    found.set(id, { id, wallet, amount, state, opensAccount, lane, attempts, signature, wire })
  }
  return [...found.values()]
}

type StateChange = { id: string; from: WithdrawalState; to: WithdrawalState; reasons?: WithdrawalReason[] }

/** Changes the state of a withdrawal; false if it is no longer in the state `from`. */
export async function moveWithdrawal(
  db: Queryable,
  { id, from, to, reasons = [] }: StateChange,
): Promise<boolean> {
  return (await db.rows(move, { id, from, to, reason: firstReasonText(reasons), reasons })).length === 1
}

/** Records the verdict on a request and its time; false if the request was already reviewed. */
export async function recordVerdict(
  db: Queryable,
  verdict: {
    id: string
    state: WithdrawalState
    reasons: WithdrawalReason[]
    mac: Uint8Array | null
    now: Date
  },
): Promise<boolean> {
  const { id, state, reasons, mac, now } = verdict
  const row = { id, state, reason: firstReasonText(reasons), reasons, mac, at: now }
  return (await db.rows(writeVerdict, row)).length === 1
}

const firstReasonText = ([first]: readonly WithdrawalReason[]): string | null =>
  first === undefined ? null : WITHDRAWAL_REASONS[first]
