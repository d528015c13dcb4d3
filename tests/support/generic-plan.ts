import { type Db, type Queryable, rowOf, type Sql, sql, type Tx } from '#server/platform/db/db.ts'
import { interceptStatements } from './intercept-statements.ts'

/**
 * Explains the plan that a connection makes once for a statement, without its values. All in one transaction and without a
 * trace, because another transaction may have another session of a pooler.
 */
export async function explainGeneric<Plan>(
  tx: Tx,
  { name, text }: Sql,
  options: 'format text' | 'verbose, format json',
): Promise<Plan[]> {
  const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map((match) => Number(match[1])))
  const nulls = Array.from({ length: count }, () => 'null').join(', ')
  await tx.rows(sql({ name: `prepare-${name}`, text: `prepare "plan-${name}" as ${text}` }))
  // With values, Postgres would explain a custom plan.
  const explain = sql({
    name: `explain-${name}`,
    row: rowOf<{ 'QUERY PLAN': Plan }>(),
    text: `explain (${options}) execute "plan-${name}"${count > 0 ? ` (${nulls})` : ''}`,
  })
  const rows = await tx.rows(explain)
  await tx.rows(sql({ name: `deallocate-${name}`, text: `deallocate "plan-${name}"` }))
  return rows.map((row) => row['QUERY PLAN'])
}

/** The lines of the generic plan that a role's connection uses for a statement. */
export const planOf = (db: Db, statement: Sql): Promise<string[]> =>
  db.transaction((tx) => explainGeneric<string>(tx, statement, 'format text'))

// Tables that grow with the players. Reading one of them whole makes every action slower for everyone.
// The index scan below a bitmap scan shows what the bitmap is made of.
const GROWING =
  /(?<!Bitmap Heap )Scan (?:Backward )?(?:using \w+ )?on (accounts|entries|journals|idempotency_keys|workers|sessions|users|receipts)(?:_\w+)?\b/

/** The lines of a plan that read all of a growing table, by themselves or along an index. */
export function wholeReads(plan: readonly string[]): string[] {
  return plan.filter(
    (line, at) => GROWING.test(line) && (line.includes('Seq Scan') || !plan[at + 1]?.includes('Index Cond')),
  )
}

export function recordStatements(db: Queryable, sent: Map<string, Sql>): Tx {
  return interceptStatements(db, (statement, run) => {
    sent.set(statement.name, statement)
    return run()
  })
}
