import type { Sql } from '#server/platform/db/db.ts'

type SqlModule = typeof import('#server/platform/db/sql.ts')

/** The module with which statements are declared. It stores each of them in `declared`. */
export function recordDeclared(original: SqlModule, declared: Map<string, Sql>) {
  return {
    ...original,
    sql(declaration: Parameters<SqlModule['sql']>[0]) {
      const statement = original.sql(declaration)
      declared.set(statement.name, statement)
      return statement
    },
  }
}
