import { type Act, type ActKind, numberedBy } from '#contract/console/acts.ts'
import { boundedName } from '#server/platform/db/bounded-name.ts'
import { type Queryable, rowOf, sql, type Tx } from '#server/platform/db/db.ts'

export type ActState = 'waiting' | 'done' | 'refused'

/** A signed act as it is stored. Nothing of it is trusted until `verifyAct` has verified it. */
export type StoredAct = {
  nonce: string
  kind: string
  withdrawalId: string | null
  details: unknown
  operator: string
  signature: Uint8Array
  signedForm: string
  at: Date
  expiresAt: Date
  /** Its number among the acts of its kind and target; null for the kinds that are not numbered, and in acts of earlier versions. */
  number: number | null
}

/** What became of an act. While it waits, `outcome` is why, once the signer has tried it. */
export type ActOutcome = { state: ActState; outcome: string | null; doneAt: Date | null }

/** The largest act: its reason has at most 300 characters. */
const LARGEST_BYTES = 4_096

/**
 * Whoever has the console's login can store rows of any size, and a hundred of them are read at once. What is too large to be
 * an act is read without its content, and refused. Its stored size is compared first, which reads none of it.
 */
export const BOUNDED = {
  kind: boundedName('kind'),
  operator: boundedName('operator'),
  details: `case when pg_column_size(details) > ${LARGEST_BYTES} then 'null'
    when octet_length(details::text) > ${LARGEST_BYTES} then 'null' else details end`,
}

const COLUMNS = `nonce, ${BOUNDED.kind} as kind, withdrawal_id::text as "withdrawalId", ${BOUNDED.details} as details,
  ${BOUNDED.operator} as operator, signature, ${boundedName('signed_form')} as "signedForm",
  at, expires_at as "expiresAt", number`

const insert = sql({
  name: 'acts-insert',
  params: {
    nonce: 'text',
    kind: 'text',
    withdrawalId: 'uuid | null',
    details: 'jsonb',
    operator: 'text',
    signature: 'bytea',
    signedForm: 'text',
    at: 'timestamptz',
    expiresAt: 'timestamptz',
    number: 'integer | null',
  },
  text: (of) =>
    `insert into operator_acts
       (nonce, kind, withdrawal_id, details, operator, signature, signed_form, at, expires_at, number)
     values (${of.nonce}, ${of.kind}, ${of.withdrawalId}, ${of.details}, ${of.operator}, ${of.signature},
       ${of.signedForm}, ${of.at}, ${of.expiresAt}, ${of.number})
     on conflict do nothing returning nonce`,
})

const readSignature = sql({
  name: 'acts-read-signature',
  params: { nonce: 'text' },
  row: rowOf<{ signature: Uint8Array }>(),
  text: ({ nonce }) => `select signature from operator_acts where nonce = ${nonce}`,
})

const readOutcome = sql({
  name: 'acts-read-outcome',
  params: { nonce: 'text' },
  row: rowOf<ActOutcome>(),
  text: ({ nonce }) => `select state, outcome, done_at as "doneAt" from operator_acts where nonce = ${nonce}`,
})

const readWaiting = sql({
  name: 'acts-read-waiting',
  params: { limit: 'integer', without: 'text[]' },
  row: rowOf<StoredAct>(),
  text: ({ limit, without }) =>
    `select ${COLUMNS} from operator_acts where state = 'waiting' and kind <> all(${without})
     order by at, nonce limit ${limit}`,
})

const lockWaiting = sql({
  name: 'acts-lock-waiting',
  params: { nonce: 'text' },
  row: rowOf<StoredAct>(),
  text: ({ nonce }) =>
    `select ${COLUMNS} from operator_acts where nonce = ${nonce} and state = 'waiting' for update`,
})

const readApprovals = sql({
  name: 'acts-read-approvals',
  params: { id: 'uuid', kind: 'text', now: 'timestamptz', limit: 'integer' },
  row: rowOf<StoredAct>(),
  text: ({ id, kind, now, limit }) =>
    `select ${COLUMNS} from operator_acts
     where withdrawal_id = ${id} and kind = ${kind} and state = 'done' and expires_at > ${now}
     order by at > ${now}, at desc, nonce desc limit ${limit}`,
})

/** The act of a target that was done last. */
type LastNumber = { number: number; doneAt: Date }

/** The target of a stored act, as `numberedBy` names it. The index of numbers has the same expression. */
export const TARGET = `coalesce(details ->> 'wallet', details ->> 'continent', '')`

const readLast = sql({
  name: 'acts-read-last-number',
  params: { kind: 'text', target: 'text' },
  row: rowOf<LastNumber>(),
  text: ({ kind, target }) =>
    `select number, done_at as "doneAt" from operator_acts
     where kind = ${kind} and ${TARGET} = ${target} and state = 'done' and number is not null
     order by number desc limit 1`,
})

const finish = sql({
  name: 'acts-finish',
  params: { nonce: 'text', state: 'text', outcome: 'text', now: 'timestamptz' },
  text: ({ nonce, state, outcome, now }) =>
    `update operator_acts set state = ${state}, outcome = ${outcome}, done_at = ${now}
     where nonce = ${nonce} and state = 'waiting'`,
})

/** The longest reason that is stored for an act that waits. It may contain what a node answered. */
const LONGEST_WAIT = 300

const writeWait = sql({
  name: 'acts-explain-wait',
  params: { nonce: 'text', why: 'text' },
  text: ({ nonce, why }) =>
    `update operator_acts set outcome = left(${why}, ${LONGEST_WAIT})
     where nonce = ${nonce} and state = 'waiting' and outcome is distinct from left(${why}, ${LONGEST_WAIT})`,
})

const writeWaits = sql({
  name: 'acts-explain-waits',
  params: { kinds: 'text[]', why: 'text' },
  text: ({ kinds, why }) =>
    `update operator_acts set outcome = ${why}
     where state = 'waiting' and kind = any(${kinds}) and outcome is distinct from ${why}`,
})

const APPROVE: ActKind = 'approve'

/**
 * How many approvals of one withdrawal are read: the newest, so that one that an operator signs now counts however many were
 * forged. Whoever forges chooses the time, so those of a time that has not come are last. The signer accepts no more than the
 * quorum and no other login stores one that is accepted, so only the owner of the database can store more, and must not keep
 * the signer busy with verifying them.
 */
export const MAX_APPROVALS = 20

/**
 * Stores an act. True if it is stored now or was before with the same signature, so a repeated request has one effect;
 * false if its nonce belongs to another act.
 */
export async function insertAct(
  db: Queryable,
  { details, ...act }: Omit<StoredAct, 'kind' | 'withdrawalId' | 'details'> & { details: Act },
): Promise<boolean> {
  const withdrawalId = 'withdrawalId' in details ? details.withdrawalId : null
  const row = { ...act, kind: details.kind, withdrawalId, details }
  if ((await db.rows(insert, row)).length === 1) return true
  const [stored] = await db.rows(readSignature, { nonce: act.nonce })
  return stored !== undefined && Buffer.compare(stored.signature, act.signature) === 0
}

/** What became of an act; null if it was never stored. */
export async function readActOutcome(db: Queryable, nonce: string): Promise<ActOutcome | null> {
  return (await db.rows(readOutcome, { nonce }))[0] ?? null
}

/** The oldest acts that the signer has not decided yet, except those of the kinds `without`. */
export const readWaitingActs = (
  db: Queryable,
  of: { limit: number; without: readonly ActKind[] },
): Promise<StoredAct[]> => db.rows(readWaiting, of)

/** Locks an act until the transaction ends; null if it was decided already. */
export async function lockWaitingAct(tx: Tx, nonce: string): Promise<StoredAct | null> {
  return (await tx.rows(lockWaiting, { nonce }))[0] ?? null
}

/** The act that was done last of those with which this one is numbered; null if there is none, or it has no number. */
export async function readLastNumber(db: Queryable, act: Act): Promise<LastNumber | null> {
  const target = numberedBy(act)
  if (target === null) return null
  return (await db.rows(readLast, { kind: act.kind, target }))[0] ?? null
}

/** The number with which an act has to be signed now; null for the kinds that are not numbered. */
export async function readNextNumber(db: Queryable, act: Act): Promise<number | null> {
  return numberedBy(act) === null ? null : ((await readLastNumber(db, act))?.number ?? 0) + 1
}

/** The newest accepted approvals of a withdrawal that expire after `now`, oldest first. `countApprovals` verifies them again. */
export async function readStoredApprovals(
  db: Queryable,
  { id, now }: { id: string; now: Date },
): Promise<StoredAct[]> {
  const newest = await db.rows(readApprovals, { id, kind: APPROVE, now, limit: MAX_APPROVALS })
  return newest.toReversed()
}

/** Records why an act could not be executed yet. What becomes of it replaces that. */
export async function explainWait(db: Queryable, act: { nonce: string; why: string }): Promise<void> {
  await db.rows(writeWait, act)
}

/** The same for all waiting acts of some kinds. */
export async function explainWaits(
  db: Queryable,
  acts: { kinds: readonly ActKind[]; why: string },
): Promise<void> {
  await db.rows(writeWaits, acts)
}

/** Records what became of an act. */
export async function finishAct(
  db: Queryable,
  decided: { nonce: string; state: 'done' | 'refused'; outcome: string; now: Date },
): Promise<void> {
  await db.rows(finish, decided)
}
