import { Pool, TypeOverrides, types, type PoolClient } from 'pg'
import { assert } from '#server/platform/assert.ts'
import { measure, openPools } from '#server/platform/measure.ts'
import { errorCode } from '#server/platform/startup-error.ts'
import { Pipeline } from './pipeline.ts'
import { connectionOf } from './connect-to-primary.ts'
import { type Arguments, rowOf, sql, type Statement } from './sql.ts'
import { STATEMENT_TIMEOUT_MS } from './login-settings.ts'
import { isDatabaseUnavailable, isInDoubt, UnknownOutcomeError } from './unavailable.ts'

export { isDatabaseUnavailable, UnknownOutcomeError }
export { rowOf, rowset, sql, type Sql, type Statement } from './sql.ts'

/** Anything that statements can be sent to: a database or an open transaction. */
export type Queryable = {
  rows<Params, Row>(statement: Statement<Params, Row>, ...params: Arguments<NoInfer<Params>>): Promise<Row[]>
}

/**
 * An open transaction, the first argument of everything that reads or writes inside it. Statements run in the order of
 * the calls; those that are called in the same tick share a round trip. After its end a statement throws.
 */
export type Tx = Queryable & {
  /** Writes without waiting. A failure surfaces at the commit and rolls the whole transaction back. */
  send<Params>(statement: Statement<Params, unknown>, ...params: Arguments<NoInfer<Params>>): void
}

/**
 * A database. A single statement commits by itself; `transaction` commits all that `work` did, or nothing. If the
 * connection breaks at the commit, it throws an `UnknownOutcomeError`.
 */
export type Db = Queryable & {
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  end(): Promise<void>
}

// Serialization failure and deadlock. Postgres has rolled the transaction back, so it can run again.
const CONFLICT_CODES = new Set(['40001', '40P01'])

// A statement after a failed one in the same transaction.
const ABORTED = '25P02'

// The code of notices that are no warnings.
const SUCCESSFUL = '00000'

const MAX_ATTEMPTS = 4

// Statements that read whole tables, or the newest part of one, are planned with their values. A generic plan assumes
// that a third of the table is newer than any given time, and scans all of it. A pooler in transaction mode refuses this:
// an audit needs a session.
const FULL_SCAN_OPTIONS = '-c plan_cache_mode=force_custom_plan'

/** A command of an operator that waits for a lock, or for a server that is lost, fails then. */
const FULL_SCAN_TIMEOUT_MS = 600_000

/** An audit sorts the whole ledger: with hundreds of millions of entries that takes hours. */
export const AUDIT_TIMEOUT_MS = 6 * 3_600_000

export type DbSettings = {
  /** The maximum number of connections. */
  max: number
  applicationName: string
  /**
   * For what reads whole tables: Postgres chooses the plans, and a statement may take ten minutes. Needs the owner's login,
   * and a URL that does not lead to a pooler.
   */
  allowFullScans?: boolean
  /** How long a statement with `allowFullScans` may take instead. */
  fullScanTimeoutMs?: number
  /** How long a statement may take to be answered, before its server is considered lost. */
  maxSilenceMs?: number
}

/** More than a statement may take, so that only a server that cannot end it either is considered lost. */
const MARGIN_MS = 5_000

/**
 * Opens a connection pool. The login brings the settings of its sessions (`login-settings.ts`). `bigint` columns are returned as
 * bigint, timestamps as Date.
 */
export function openDb(
  url: string,
  {
    max,
    applicationName,
    allowFullScans = false,
    fullScanTimeoutMs = FULL_SCAN_TIMEOUT_MS,
    maxSilenceMs = MARGIN_MS + (allowFullScans ? fullScanTimeoutMs : STATEMENT_TIMEOUT_MS),
  }: DbSettings,
): Db {
  const overrides = new TypeOverrides(types)
  overrides.setTypeParser(types.builtins.INT8, (text: string) => BigInt(text))
  const pool = new Pool({
    ...connectionOf(url),
    max,
    application_name: applicationName,
    connectionTimeoutMillis: 5_000,
    ...(allowFullScans ? { options: FULL_SCAN_OPTIONS, statement_timeout: fullScanTimeoutMs } : {}),
    types: overrides,
    pipeline: true,
  })
  // The pool replaces an idle connection that breaks. Without a listener the error would end the process.
  pool.on('error', () => {})
  // A connection may end in the packet that completes its start, before the pool hands it out.
  pool.on('connect', (client) => client.on('error', () => {}))
  const readStats = () => ({
    name: applicationName,
    total: pool.totalCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  })
  openPools.add(readStats)

  const connect = async (): Promise<PoolClient> => {
    const from = performance.now()
    const client = await pool.connect()
    measure({ of: 'pool_wait', pool: applicationName, tookMs: performance.now() - from })
    return client
  }

  const runTransaction = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const client = await connect()
    let broken = false
    let isCommitSent = false
    // A connection may break between two statements. Without a listener the error would end the process.
    const markBroken = () => {
      broken = true
    }
    client.on('error', markBroken)
    // If the wait for the standby is cancelled, Postgres warns and confirms a commit that a failover would lose.
    let warning: string | null = null
    const noteWarning = ({
      code,
      message = '',
    }: {
      code?: string | undefined
      message?: string | undefined
    }) => {
      if (isCommitSent && code !== SUCCESSFUL) warning = message
    }
    client.on('notice', noteWarning)
    const pipeline = openPipeline(client, maxSilenceMs)
    try {
      void pipeline.send(begin)
      const result = await work(createTx(pipeline.send))
      isCommitSent = pipeline.commit()
      await pipeline.waitForAll()
      if (warning) throw new UnknownOutcomeError(new Error(warning))
      return result
    } catch (error) {
      await pipeline.rollBack().catch(markBroken)
      if (!pipeline.isReusable()) markBroken()
      // The error belongs to a statement after the failed one. Throw the first failure instead.
      if (errorCode(error) === ABORTED) await pipeline.waitForAll()
      // A server that has become a standby refuses writes for good. Another connection finds the new primary.
      if (isDatabaseUnavailable(error)) markBroken()
      if (isCommitSent && isInDoubt(error)) throw new UnknownOutcomeError(error)
      throw error
    } finally {
      client.off('error', markBroken)
      client.off('notice', noteWarning)
      client.release(broken)
    }
  }

  return {
    async rows(statement: AnyStatement, ...[params]: readonly unknown[]) {
      const query = { ...queryOf(statement, params), query_timeout: maxSilenceMs }
      return (await pool.query(query)).rows
    },
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await runTransaction(work)
        } catch (error) {
          if (attempt === MAX_ATTEMPTS || !CONFLICT_CODES.has(errorCode(error))) throw error
        }
      }
    },
    end: () => {
      openPools.delete(readStats)
      return pool.end()
    },
  }
}

const begin = sql({ name: 'tx-begin', text: 'begin' })
const commit = sql({ name: 'tx-commit', text: 'commit' })
const rollback = sql({ name: 'tx-rollback', text: 'rollback' })

/** A statement with any parameters. */
type AnyStatement = Statement<never, unknown>

/** The query for the driver: the statement, and its values in the order of its placeholders. */
export function queryOf({ name, text, encode }: AnyStatement, params: unknown = {}) {
  return { name, text, values: encode(params as never) }
}

type Run = (statement: AnyStatement, params?: unknown) => Promise<unknown[]>

/** A transaction whose statements all go through `run`, which also has to report the failures of those sent. */
export function createTx(run: Run): Tx {
  return {
    rows: run as Tx['rows'],
    send: (statement: AnyStatement, ...[params]: readonly unknown[]) => {
      run(statement, params).catch(() => {})
    },
  }
}

/** The statements of one transaction. Postgres runs them in order; after a failure it refuses all that follow. */
function openPipeline(client: PoolClient, maxSilenceMs: number) {
  const sent: Promise<unknown>[] = []
  const pipelines: Pipeline[] = []
  let current: Pipeline | null = null
  // All statements of one tick are sent together.
  const scheduleFlush = (): Pipeline => {
    const pipeline = new Pipeline(maxSilenceMs)
    pipelines.push(pipeline)
    process.nextTick(() => {
      current = null
      client.query(pipeline)
    })
    return pipeline
  }
  const enqueue = (statement: AnyStatement, params?: unknown): Promise<unknown[]> => {
    const query = queryOf(statement, params)
    current ??= scheduleFlush()
    const { promise, resolve, reject } = Promise.withResolvers<unknown[]>()
    current.add(query, (error, rows) => (error ? reject(error) : resolve(rows)))
    return promise
  }
  // A statement whose parameters cannot be encoded stops all that follow it, the commit in particular.
  let enqueueFailure: Promise<never> | null = null
  const tryEnqueue = (statement: AnyStatement, params?: unknown): Promise<unknown[]> => {
    try {
      return enqueueFailure ?? enqueue(statement, params)
    } catch (error) {
      enqueueFailure = Promise.reject(error as Error)
      return enqueueFailure
    }
  }
  let hasEnded = false
  const send = (statement: AnyStatement, params?: unknown): Promise<unknown[]> => {
    // A later one would commit by itself, or run in the transaction that has the connection next.
    assert(!hasEnded, `the statement ${statement.name} is sent before the end of its transaction`)
    const rows = tryEnqueue(statement, params)
    // `waitForAll` reports the failure, even if the caller does not wait for the rows.
    rows.catch(() => {})
    sent.push(rows)
    return rows
  }
  return {
    send,
    /** False if a statement before could not be sent, so that this is not sent either. */
    commit(): boolean {
      void send(commit)
      hasEnded = true
      return enqueueFailure === null
    },
    /** Waits for all that was sent; rejects with the first failure. */
    waitForAll: () => Promise.all(sent),
    rollBack() {
      hasEnded = true
      return enqueue(rollback)
    },
    /** Whether the connection can be used for another transaction. */
    isReusable: () => !pipelines.some(({ hasSkippedNew }) => hasSkippedNew),
  }
}

const readStandby = sql({
  name: 'db-is-standby',
  row: rowOf<{ standby: boolean }>(),
  text: 'select pg_is_in_recovery() as standby',
})

/** Whether the database can be used: not while no server answers, or only one that refuses writes. */
export type DatabaseState = 'ok' | 'standby' | 'unreachable'

export const readDatabaseState = (db: Queryable): Promise<DatabaseState> =>
  db.rows(readStandby).then(
    ([row]) => (row?.standby === false ? 'ok' : 'standby'),
    () => 'unreachable',
  )
