import { Query } from 'pg'

// What the types of the library leave out of its queries and its connection. `journey.test.ts` holds it to them.
type PgConnection = {
  stream: { cork(): void; uncork(): void }
  execute(portal: object): void
  sync(): void
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
}
type QueryInternals = {
  name: string
  text: string
  _result: { _types: unknown }
  callback: (error: Error | null, result: { rows: unknown[] }) => void
  prepare(pgConnection: PgConnection): void
  handleRowDescription(message: object): void
  handleDataRow(message: object): void
  handleCommandComplete(message: object, pgConnection: PgConnection): void
  handleReadyForQuery(pgConnection: PgConnection): void
  handleError(error: Error, pgConnection: PgConnection): void
}

/** A statement that leaves the word that ends a journey to the journey. */
class PipelinedQuery extends Query {
  _getRows(pgConnection: PgConnection): void {
    pgConnection.execute({})
  }
}

type Statement = { name: string; text: string; values: unknown[] }

/**
 * Several statements that travel as one: Postgres does them in order and answers all of them in one piece. Behind one
 * that fails it does none, and those fail with its error. The library ends every statement by a word of its own, which
 * Postgres answers at once, so that each costs both sides a system call and a turn.
 */
export class Pipeline extends Query {
  readonly queries: (PipelinedQuery & QueryInternals)[] = []
  private completedCount = 0

  constructor() {
    super({ text: '', name: 'pipeline' })
  }

  add(statement: Statement, callback: (error: Error | null, rows: unknown[]) => void): void {
    const query = new PipelinedQuery(statement) as unknown as PipelinedQuery & QueryInternals
    query.callback = (error, result) => callback(error, error ? [] : result.rows)
    this.queries.push(query)
  }

  override submit = (connection: unknown): null => {
    const pgConnection = connection as PgConnection
    pgConnection.stream.cork()
    for (const query of this.queries) {
      // oxlint-disable-next-line no-underscore-dangle
      query._result._types = (this as unknown as QueryInternals)._result._types
      query.prepare(pgConnection)
    }
    pgConnection.sync()
    pgConnection.stream.uncork()
    this.exposeCurrentStatement()
    return null
  }

  handleRowDescription(message: object): void {
    this.queries[this.completedCount]!.handleRowDescription(message)
  }

  handleDataRow(message: object): void {
    this.queries[this.completedCount]!.handleDataRow(message)
  }

  handleCommandComplete(message: object, pgConnection: PgConnection): void {
    this.queries[this.completedCount]!.handleCommandComplete(message, pgConnection)
    this.completedCount += 1
    this.exposeCurrentStatement()
  }

  handleReadyForQuery(pgConnection: PgConnection): void {
    for (const query of this.queries) query.handleReadyForQuery(pgConnection)
  }

  handleError(error: Error, pgConnection: PgConnection): void {
    for (const query of this.queries.slice(0, this.completedCount)) query.handleReadyForQuery(pgConnection)
    for (const query of this.queries.slice(this.completedCount)) {
      // Postgres has not read it, unless it says so.
      if (!pgConnection.parsedStatements[query.name]) delete pgConnection.submittedNamedStatements[query.name]
      query.handleError(error, pgConnection)
    }
  }

  // The connection writes down, under the name of what it is at, that Postgres knows the statement.
  private exposeCurrentStatement(): void {
    const query = this.queries[this.completedCount]
    if (query) Object.assign(this, { name: query.name, text: query.text })
  }
}
