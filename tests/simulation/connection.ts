import type { QueryResult } from 'pg'
import type { CallRequest } from './port-calls.ts'
import { currentProcess, type SimulatedProcess } from './process.ts'

export { escapeIdentifier, escapeLiteral, TypeOverrides, types } from 'pg'

type Statement = { name: string; text: string; values: unknown[] }
type Settings = { connectionString: string; types: unknown }

/** The driver's error for a lost connection. */
const createBrokenError = (): Error => new Error('Connection terminated unexpectedly')

const createCodedError = (code: string, message: string): Error => Object.assign(new Error(message), { code })
const createServerError = (code: string, message: string): Error =>
  Object.assign(createCodedError(code, message), { severity: 'ERROR' })

/** Replaces `Query` of `pg`. It only stores its arguments. */
// oxlint-disable-next-line no-extraneous-class
export class Query {
  constructor(config: object) {
    Object.assign(this, config)
  }
}

/** Replaces `Client` of `pg`, which only addresses of several hosts need. */
// oxlint-disable-next-line no-extraneous-class
export class Client {}

/** Statements that the server's code sends in one round trip. */
type Pipeline = {
  queries: readonly (Statement & { callback(error: Error | null, result: object): void })[]
}

/**
 * Replaces `Pool` of `pg`. The statements run on a real Postgres. The simulated world decides when they run and whether
 * their responses arrive.
 */
export class Pool {
  readonly #process = currentProcess()
  readonly #settings: Settings

  constructor(settings: Settings) {
    this.#settings = settings
  }

  on(): void {}

  async connect(): Promise<Connection> {
    await this.#process.world.calls.enqueue(this.#process, {
      port: 'database',
      name: 'connect',
      faults: ['refused'],
      perform(fault) {
        if (fault !== null) throw createCodedError('ECONNREFUSED', 'connect ECONNREFUSED')
      },
    })
    return new Connection(this.#process, this.#settings)
  }

  /** Runs a statement outside of a transaction. */
  query(statement: Statement): Promise<QueryResult> {
    return new Connection(this.#process, this.#settings).runSingle(statement)
  }

  async end(): Promise<void> {}
}

/**
 * One connection to the database. Its statements run in the order in which they were sent, whether or not the caller
 * awaits them. Transactions run one at a time: a statement waits while another connection's transaction is open, because
 * it could block on a lock there, which would block the whole world.
 */
export class Connection {
  readonly #process: SimulatedProcess
  readonly #settings: Settings
  #state: 'free' | 'begun' | 'open' | 'failed' | 'broken' = 'free'
  #queue: symbol[] = []
  #lastPipeline: Promise<void> = Promise.resolve()

  constructor(process: SimulatedProcess, settings: Settings) {
    this.#process = process
    this.#settings = settings
    process.connections.add(this)
  }

  get #login(): string {
    return new URL(this.#settings.connectionString).username
  }

  get #database() {
    return this.#process.world.database
  }

  on(): void {}
  off(): void {}

  release(): void {
    this.#process.connections.delete(this)
  }

  async runSingle(query: Statement): Promise<QueryResult> {
    const database = this.#database
    try {
      return await this.#enqueue({
        name: query.name,
        faults: ['broken', 'answer lost'],
        ready: () => database.transactionOwner === null,
        perform: async (fault) => {
          if (fault === 'broken') throw createBrokenError()
          const statement = { ...query, types: this.#settings.types }
          const result = await database.run(this.#login, statement, true)
          if (fault === 'answer lost') throw createBrokenError()
          return result
        },
      })
    } finally {
      this.release()
    }
  }

  /** Runs the statements of one round trip in order. After a failure none is executed, and all fail with its error. */
  query(pipeline: Pipeline): void {
    this.#lastPipeline = this.#lastPipeline.then(() => this.#runPipeline(pipeline))
  }

  async #runPipeline({ queries }: Pipeline): Promise<void> {
    for (const [at, part] of queries.entries()) {
      try {
        part.callback(null, await this.#runPart(part))
      } catch (error) {
        for (const each of queries.slice(at)) each.callback(error as Error, {})
        return
      }
    }
  }

  #runPart(statement: Statement): Promise<object> {
    if (statement.name === 'tx-begin') return this.#begin()
    if (statement.name === 'tx-commit') return this.#commit()
    if (statement.name === 'tx-rollback') return this.#rollback()
    return this.#runInTransaction(statement)
  }

  #enqueue<T>(request: Omit<CallRequest<T>, 'port'>): Promise<T> {
    const { ready = () => true, perform } = request
    const turn = Symbol(request.name)
    this.#queue.push(turn)
    return this.#process.world.calls.enqueue(this.#process, {
      ...request,
      port: 'database',
      ready: () => this.#queue[0] === turn && ready(),
      perform: async (fault) => {
        this.#queue.shift()
        if (this.#state === 'broken') throw createBrokenError()
        return perform(fault)
      },
    })
  }

  #begin(): Promise<object> {
    return this.#enqueue({
      name: 'begin',
      faults: ['broken'],
      perform: (fault) => {
        if (fault !== null) return this.#breakConnection()
        // A begin locks and reads nothing, so it never has to wait.
        this.#state = 'begun'
        return { rows: [] }
      },
    })
  }

  #runInTransaction(query: Statement): Promise<QueryResult> {
    const database = this.#database
    return this.#enqueue({
      name: query.name,
      faults: ['broken', 'conflict'],
      ready: () => database.transactionOwner === null || database.transactionOwner === this,
      perform: async (fault) => {
        if (fault === 'broken') return this.#breakConnection()
        if (this.#state === 'failed') throw createServerError('25P02', 'current transaction is aborted')
        const first = this.#state === 'begun'
        try {
          if (fault === 'conflict') throw createServerError('40P01', 'deadlock detected')
          if (database.transactionOwner === null) this.#process.world.clock.beginTransaction()
          database.transactionOwner = this
          this.#state = 'open'
          const statement = { ...query, types: this.#settings.types }
          return await (first
            ? database.runFirstInTransaction(this.#login, statement)
            : database.run(this.#login, statement, false))
        } catch (error) {
          await this.#endTransaction('rollback', 'failed')
          throw error
        }
      },
    })
  }

  #commit(): Promise<object> {
    return this.#enqueue({
      name: 'commit',
      faults: ['commit lost', 'commit done, answer lost'],
      perform: async (fault) => {
        if (fault === 'commit lost') return this.#breakConnection()
        // Postgres answers the commit of a failed transaction with success, and rolls back.
        await this.#endTransaction(this.#state === 'failed' ? 'rollback' : 'commit', 'free')
        if (fault !== null) return this.#breakConnection()
        return { rows: [] }
      },
    })
  }

  #rollback(): Promise<object> {
    return this.#enqueue({
      name: 'rollback',
      perform: async () => {
        await this.#endTransaction('rollback', 'free')
        return { rows: [] }
      },
    })
  }

  /** Breaks the connection: the server rolls back its open transaction. */
  async #breakConnection(): Promise<never> {
    await this.disconnect()
    throw createBrokenError()
  }

  async disconnect(): Promise<void> {
    await this.#endTransaction('rollback', 'broken')
  }

  async #endTransaction(
    outcome: 'commit' | 'rollback',
    nextState: 'free' | 'failed' | 'broken',
  ): Promise<void> {
    const open = this.#state === 'open'
    this.#state = nextState
    if (!open) return
    await this.#database.endTransaction(this.#login, outcome)
    this.#database.transactionOwner = null
  }
}
