import { Pool, TypeOverrides, types, type PoolClient } from 'pg'
import { encodeArray } from './encode-array.ts'
import { Journey } from './journey.ts'

/** One named statement; Postgres prepares it once for each connection. */
export type Sql = { readonly name: string; readonly text: string }

/** Names a statement. The name must be its own in the whole server. */
export function sql(name: string, text: string): Sql {
  return { name, text }
}

/**
 * An open transaction. Whatever reads or writes inside it takes it as its first argument. Statements go out in the
 * order of the calls, and several that are asked for at once travel together. Nobody has to wait for one whose rows
 * nobody needs: the commit follows behind it, and where it fails nothing was done.
 */
export type Tx = { rows<Row>(statement: Sql, values?: readonly unknown[]): Promise<Row[]> }

/** A database: single statements commit by themselves, `transaction` commits what `work` did or nothing. */
export type Db = {
  rows<Row>(statement: Sql, values?: readonly unknown[]): Promise<Row[]>
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  end(): Promise<void>
}

// A conflict that Postgres resolved by turning one side away: nothing of it was applied, so it may be tried again.
const CONFLICT = new Set(['40001', '40P01'])

// A statement behind one that has failed.
const ABORTED = '25P02'

// No connection was to be had, it broke, or the server turned away what would change it (25006: it is a standby now).
const UNAVAILABLE = new Set([
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08000',
  '08001',
  '08003',
  '08006',
  '25006',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
])
const BROKEN = /timeout exceeded when trying to connect|Connection terminated|Connection ended|not queryable/

const TRIES = 4

// Every statement of a role finds its rows by key. Postgres is told so once for each connection: left to itself it
// plans batches of one anew on every call, and keeps reading whole tables by a plan that it made while they were small.
const BY_KEY = [
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
  'enable_mergejoin=off',
  'enable_hashjoin=off',
]
  .map((setting) => `-c ${setting}`)
  .join(' ')

// Who reads whole tables, or the newest part of one, is planned anew for each question: a plan for any moment in time
// takes a third of the table to be newer, and reads all of it.
const BY_VALUE = '-c plan_cache_mode=force_custom_plan'

// What takes longer hangs.
const ONE_STEP_MS = 20_000
const WHOLE_TABLES_MS = 600_000

export type DbSettings = {
  /** The most connections at a time. */
  max: number
  applicationName: string
  /** Reads whole tables, as an audit does: plans are left to Postgres, and a statement may take minutes. */
  readsAll?: boolean
}

/** Opens a pool. `bigint` columns come back as bigint, timestamps as Date. */
export function openDb(url: string, { max, applicationName, readsAll = false }: DbSettings): Db {
  const overrides = new TypeOverrides(types)
  overrides.setTypeParser(types.builtins.INT8, (text: string) => BigInt(text))
  const pool = new Pool({
    connectionString: url,
    max,
    application_name: applicationName,
    options: readsAll ? BY_VALUE : BY_KEY,
    connectionTimeoutMillis: 5_000,
    statement_timeout: readsAll ? WHOLE_TABLES_MS : ONE_STEP_MS,
    types: overrides,
    pipeline: true,
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  // The news that a connection ends may come in one piece with that of its start, before anybody has it.
  pool.on('connect', (client) => client.on('error', () => {}))

  const once = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    let broken = false
    // A connection may break between two statements; unheard, that would end the process.
    const hearBreak = () => {
      broken = true
    }
    client.on('error', hearBreak)
    const line = openLine(client)
    try {
      void line.send(begin)
      const result = await work({ rows: line.send })
      void line.send(commit)
      await line.done()
      return result
    } catch (error) {
      await line.end().catch(hearBreak)
      // It heard of the failure of a statement that it did not wait for: what counts is why that one failed.
      if (codeOf(error) === ABORTED) await line.done()
      throw error
    } finally {
      client.off('error', hearBreak)
      client.release(broken)
    }
  }

  return {
    rows: async <Row>(statement: Sql, values?: readonly unknown[]) =>
      (await pool.query(queryOf(statement, values))).rows as Row[],
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(work)
        } catch (error) {
          if (attempt === TRIES || !CONFLICT.has(codeOf(error))) throw error
        }
      }
    },
    end: () => pool.end(),
  }
}

const begin = sql('tx-begin', 'begin')
const commit = sql('tx-commit', 'commit')
const rollback = sql('tx-rollback', 'rollback')

const queryOf = ({ name, text }: Sql, values: readonly unknown[] = []) => ({
  name,
  text,
  values: values.map((value, at) => ready(value, arrayType(text, at))),
})

// What the statements declare their parameters as, by their texts.
const arrayTypes = new Map<string, (string | undefined)[]>()

/** The type `t` of a parameter that the statement reads as `$n::t[]`. */
function arrayType(text: string, at: number): string | undefined {
  let declared = arrayTypes.get(text)
  if (!declared) {
    declared = []
    for (const [, number, type] of text.matchAll(/\$(\d+)::(\w+)\[\]/g)) declared[Number(number) - 1] = type
    arrayTypes.set(text, declared)
  }
  return declared[at]
}

/** The value in a form that can only fail at the server. */
function ready(value: unknown, type: string | undefined): unknown {
  if (Array.isArray(value))
    return (type && encodeArray(type, value)) ?? value.map((each) => ready(each, undefined))
  const isObject = typeof value === 'object' && value !== null && !(value instanceof Date)
  return isObject && !ArrayBuffer.isView(value) ? JSON.stringify(value) : value
}

/** The statements of one transaction. Postgres answers them in order; one that fails makes all behind it fail. */
function openLine(client: PoolClient) {
  const sent: Promise<unknown>[] = []
  let journey: Journey | null = null
  // What is sent in one go leaves together, when whoever sends has nothing more to say.
  const depart = (): Journey => {
    const departing = new Journey()
    process.nextTick(() => {
      journey = null
      client.query(departing)
    })
    return departing
  }
  const ask = <Row>(statement: Sql, values?: readonly unknown[]): Promise<Row[]> => {
    const query = queryOf(statement, values)
    journey ??= depart()
    const { promise, resolve, reject } = Promise.withResolvers<Row[]>()
    journey.add(query, (error, rows) => (error ? reject(error) : resolve(rows as Row[])))
    return promise
  }
  // What cannot even be sent lets nothing behind it leave, the commit least of all.
  let unsent: Promise<never> | null = null
  const tryToAsk = <Row>(statement: Sql, values?: readonly unknown[]): Promise<Row[]> => {
    try {
      return unsent ?? ask<Row>(statement, values)
    } catch (error) {
      unsent = Promise.reject(error as Error)
      return unsent
    }
  }
  return {
    send<Row>(statement: Sql, values?: readonly unknown[]): Promise<Row[]> {
      const rows = tryToAsk<Row>(statement, values)
      // Its failure is told by `done`, also where the caller does not wait for it.
      rows.catch(() => {})
      sent.push(rows)
      return rows
    },
    /** Waits for all that was sent; rejects with the first failure. */
    done: () => Promise.all(sent),
    end: () => ask(rollback),
  }
}

/**
 * True where the database was out of reach. Of a transaction that ended so nobody knows whether it was committed.
 */
export function isUnavailable(error: unknown): boolean {
  return UNAVAILABLE.has(codeOf(error)) || (error instanceof Error && BROKEN.test(error.message))
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? '')
}
