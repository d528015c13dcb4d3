import { Query } from 'pg'

// Members of `pg` that its types do not declare. `pipeline.test.ts` fails if a new version changes them.
type PgConnection = {
  stream: { cork(): void; uncork(): void; destroy(error: Error): void }
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

/** A statement that does not send `Sync`: the pipeline sends one for all its statements. */
class PipelinedQuery extends Query {
  _getRows(pgConnection: PgConnection): void {
    pgConnection.execute({})
  }
}

/** A server that answers nothing any more, and whose connection is not reset: its machine hangs. */
class SilenceError extends Error {
  readonly code = 'ETIMEDOUT'

  constructor() {
    super('the database has fallen silent')
  }
}

type Statement = { name: string; text: string; values: unknown[] }

/**
 * Several statements in one round trip. Postgres runs them in order. After a failure it skips the rest, and those fail
 * with the same error.
 *
 * With its own `pipeline` option `pg` sends a `Sync` after each statement, and Postgres flushes an answer for each. One
 * `Sync` for all saves both sides system calls: 5 % of the cost of a batch of claims.
 */
export class Pipeline extends Query {
  readonly queries: (PipelinedQuery & QueryInternals)[] = []
  /**
   * Whether Postgres skipped a statement that it had not seen before. A pooler may take it for prepared from then on, so
   * the connection is of no more use.
   */
  hasSkippedNew = false
  private completedCount = 0
  private readonly maxSilenceMs: number
  private silence: NodeJS.Timeout | undefined

  /** If the server does not complete the next statement within `maxSilenceMs`, the connection is closed. */
  constructor(maxSilenceMs: number) {
    super({ text: '', name: 'pipeline' })
    this.maxSilenceMs = maxSilenceMs
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
    this.silence = setTimeout(() => pgConnection.stream.destroy(new SilenceError()), this.maxSilenceMs)
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
    this.silence?.refresh()
    this.exposeCurrentStatement()
  }

  handleReadyForQuery(pgConnection: PgConnection): void {
    clearTimeout(this.silence)
    for (const query of this.queries) query.handleReadyForQuery(pgConnection)
  }

  handleError(error: Error, pgConnection: PgConnection): void {
    clearTimeout(this.silence)
    for (const query of this.queries.slice(0, this.completedCount)) query.handleReadyForQuery(pgConnection)
    for (const query of this.queries.slice(this.completedCount)) {
      // The statement is not prepared unless Postgres has confirmed it.
      if (!pgConnection.parsedStatements[query.name]) {
        this.hasSkippedNew = true
        delete pgConnection.submittedNamedStatements[query.name]
      }
      query.handleError(error, pgConnection)
    }
  }

  // The connection records a prepared statement under the name of its current query.
  private exposeCurrentStatement(): void {
    const query = this.queries[this.completedCount]
    if (query) Object.assign(this, { name: query.name, text: query.text })
  }
}
