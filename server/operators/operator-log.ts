import { boundedName } from '#server/platform/db/bounded-name.ts'
import { type Queryable, sql, type Tx } from '#server/platform/db/db.ts'

const LOCK = 4_032_020

// Operators act one after the other, so that what one has read stays valid until it has acted.
const lock = sql({
  name: 'operator-lock',
  params: { lock: 'bigint' },
  text: ({ lock }) => `select pg_advisory_xact_lock(${lock})`,
})

const write = sql({
  name: 'operator-write-log',
  params: {
    now: 'timestamptz',
    who: 'text',
    command: 'text',
    named: 'jsonb',
    reason: 'text | null',
    outcome: 'text',
  },
  text: ({ now, who, command, named, reason, outcome }) =>
    `insert into operator_log (at, who, command, arguments, reason, outcome) values (${now}, ${who}, ${command}, ${named}, ${reason}, ${outcome})`,
})

/** Waits until no other operator acts, and keeps it so until the transaction ends. */
export async function lockOperators(tx: Tx): Promise<void> {
  await tx.rows(lock, { lock: BigInt(LOCK) })
}

const LONGEST_TEXT = 4_000

/**
 * The columns of a line as they are read. Whoever had the console's login of 0.1.0 could add lines of any size and with a time
 * for which there is no `Date`, and can add lines with arguments that are no object or no texts. Nobody can remove them, and
 * they must not hide the others.
 */
export const LOG_COLUMNS = `id, least(greatest(at, to_timestamp(0)), to_timestamp(253402300799)) as at,
  ${boundedName('who')} as who, ${boundedName('command')} as command,
  case when pg_column_size(arguments) > ${LONGEST_TEXT} or jsonb_typeof(arguments) <> 'object' then '{}'
    when length(arguments::text) > ${LONGEST_TEXT} then '{}'
    else (select coalesce(jsonb_object_agg(key, coalesce(value, '')), '{}') from jsonb_each_text(arguments)) end as arguments,
  left(reason, ${LONGEST_TEXT}) as reason, left(outcome, ${LONGEST_TEXT}) as outcome, login`

/** A line as it is read: one action of an operator, done or refused. */
export type LoggedLine = {
  id: bigint
  at: Date
  /** The login of the database that wrote it; null in lines of 0.1.0. */
  login: string | null
  who: string
  command: string
  arguments: Record<string, string>
  reason: string | null
  outcome: string
}

/** What an operator did, or what was refused. */
export type LogLine = {
  /** The operator's name. */
  who: string
  now: Date
  command: string
  arguments?: Readonly<Record<string, string>>
  reason?: string | null
  outcome: string
}

/** Adds a line to the operator log. Nobody can change it. */
export async function writeOperatorLog(
  db: Queryable,
  { arguments: named = {}, reason = null, ...line }: LogLine,
): Promise<void> {
  await db.rows(write, { ...line, named, reason })
}
