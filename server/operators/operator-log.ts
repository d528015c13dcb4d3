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
