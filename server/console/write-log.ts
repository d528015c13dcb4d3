import { type Queryable, sql } from '#server/platform/db/db.ts'

const write = sql({
  name: 'console-write-log',
  params: {
    now: 'timestamptz',
    who: 'text',
    command: 'text',
    named: 'jsonb',
    reason: 'text | null',
    outcome: 'text',
  },
  text: ({ now, who, command, named, reason, outcome }) =>
    `insert into operator_log (at, who, command, arguments, reason, outcome)
     values (${now}, ${who}, ${command}, ${named}, ${reason}, ${outcome})`,
})

/** One line of the operator log. */
export type LogLine = {
  now: Date
  /** The operator's name, as in the lines of `npm run ops`. */
  who: string
  command: string
  named?: Readonly<Record<string, string>>
  reason?: string | null
  outcome: string
}

/** Writes a line into the operator log. */
export async function writeLog(
  db: Queryable,
  { named = {}, reason = null, ...line }: LogLine,
): Promise<void> {
  await db.rows(write, { ...line, named, reason })
}
