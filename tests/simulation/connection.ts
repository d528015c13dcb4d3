import type { QueryResult } from 'pg'
import type { CallRequest } from './port-calls.ts'
import { currentProcess, type SimulatedProcess } from './process.ts'

export { TypeOverrides, types } from 'pg'

type Statement = { name: string; text: string; values: unknown[] }
type Settings = { connectionString: string; types: unknown }

/** What the driver says when the line to the server is gone. */
const createBrokenError = (): Error => new Error('Connection terminated unexpectedly')

const createCodedError = (code: string, message: string): Error => Object.assign(new Error(message), { code })

/** Stands where the server's code expects a query of `pg`, and is only what it was made of. */
// oxlint-disable-next-line no-extraneous-class
export class Query {
  constructor(config: object) {
    Object.assign(this, config)
  }
}

/** Statements that travel together, as the server's code sends them. */
type Pipeline = {
  queries: readonly (Statement & { callback(error: Error | null, result: object): void })[]
}

/**
 * Stands where the server's code expects a pool of `pg`. The statements run on a real Postgres; when they run, and
 * what becomes of their answers, the simulated world decides.
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

  /** A statement that commits by itself. */
  query(statement: Statement): Promise<QueryResult> {
    return new Connection(this.#process, this.#settings).runSingle(statement)
  }

  async end(): Promise<void> {}
}

/**
 * One line to the database. What is sent on it runs in its order, also when nobody waits for the answers. Transactions
 * run one after the other: a statement waits while another line's transaction is open, because it could block there,
 * and the world would stand still with it.
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
        // It locks and reads nothing yet, so it waits for nobody.
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
        if (this.#state === 'failed') throw createCodedError('25P02', 'current transaction is aborted')
        const first = this.#state === 'begun'
        try {
          if (fault === 'conflict') throw createCodedError('40P01', 'deadlock detected')
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
        // Of a transaction that failed, a commit takes back what was done, and says that all is well.
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

  /** The line is cut: the server rolls back what was open. */
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
