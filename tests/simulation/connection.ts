import type { QueryResult } from 'pg'
import type { Asked } from './port-calls.ts'
import { currentProcess, type SimulatedProcess } from './process.ts'

export { TypeOverrides, types } from 'pg'

type Statement = { name: string; text: string; values: unknown[] }
type Settings = { connectionString: string; types: unknown }

/** What the driver says when the line to the server is gone. */
const broken = (): Error => new Error('Connection terminated unexpectedly')

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code })

/** Stands where the server's code expects a query of `pg`, and is only what it was made of. */
// oxlint-disable-next-line no-extraneous-class
export class Query {
  constructor(config: object) {
    Object.assign(this, config)
  }
}

/** Statements that travel together, as the server's code sends them. */
type Journey = {
  parts: readonly (Statement & { callback(error: Error | null, result: object): void })[]
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
    await this.#process.world.calls.ask(this.#process, {
      port: 'database',
      name: 'connect',
      faults: ['refused'],
      perform(fault) {
        if (fault !== null) throw coded('ECONNREFUSED', 'connect ECONNREFUSED')
      },
    })
    return new Connection(this.#process, this.#settings)
  }

  /** A statement that commits by itself. */
  query(statement: Statement): Promise<QueryResult> {
    return new Connection(this.#process, this.#settings).single(statement)
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
  #sent: symbol[] = []
  #travelling: Promise<void> = Promise.resolve()

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

  async single(query: Statement): Promise<QueryResult> {
    const database = this.#database
    try {
      return await this.#ask({
        name: query.name,
        faults: ['broken', 'answer lost'],
        ready: () => database.holder === null,
        perform: async (fault) => {
          if (fault === 'broken') throw broken()
          const statement = { ...query, types: this.#settings.types }
          const result = await database.run(this.#login, statement, true)
          if (fault === 'answer lost') throw broken()
          return result
        },
      })
    } finally {
      this.release()
    }
  }

  /** Runs the statements of a journey in their order. Behind one that fails none is run, and all fail as it did. */
  query(journey: Journey): void {
    this.#travelling = this.#travelling.then(() => this.#travel(journey))
  }

  async #travel({ parts }: Journey): Promise<void> {
    for (const [at, part] of parts.entries()) {
      try {
        part.callback(null, await this.#part(part))
      } catch (error) {
        for (const each of parts.slice(at)) each.callback(error as Error, {})
        return
      }
    }
  }

  #part(statement: Statement): Promise<object> {
    if (statement.name === 'tx-begin') return this.#begin()
    if (statement.name === 'tx-commit') return this.#commit()
    if (statement.name === 'tx-rollback') return this.#rollback()
    return this.#statement(statement)
  }

  #ask<T>(asked: Omit<Asked<T>, 'port'>): Promise<T> {
    const { ready = () => true, perform } = asked
    const turn = Symbol(asked.name)
    this.#sent.push(turn)
    return this.#process.world.calls.ask(this.#process, {
      ...asked,
      port: 'database',
      ready: () => this.#sent[0] === turn && ready(),
      perform: async (fault) => {
        this.#sent.shift()
        if (this.#state === 'broken') throw broken()
        return perform(fault)
      },
    })
  }

  #begin(): Promise<object> {
    return this.#ask({
      name: 'begin',
      faults: ['broken'],
      perform: (fault) => {
        if (fault !== null) return this.#break()
        // It locks and reads nothing yet, so it waits for nobody.
        this.#state = 'begun'
        return { rows: [] }
      },
    })
  }

  #statement(query: Statement): Promise<QueryResult> {
    const database = this.#database
    return this.#ask({
      name: query.name,
      faults: ['broken', 'conflict'],
      ready: () => database.holder === null || database.holder === this,
      perform: async (fault) => {
        if (fault === 'broken') return this.#break()
        if (this.#state === 'failed') throw coded('25P02', 'current transaction is aborted')
        const first = this.#state === 'begun'
        try {
          if (fault === 'conflict') throw coded('40P01', 'deadlock detected')
          database.holder = this
          this.#state = 'open'
          const statement = { ...query, types: this.#settings.types }
          return await (first
            ? database.runFirst(this.#login, statement)
            : database.run(this.#login, statement, false))
        } catch (error) {
          await this.#end('rollback', 'failed')
          throw error
        }
      },
    })
  }

  #commit(): Promise<object> {
    return this.#ask({
      name: 'commit',
      faults: ['commit lost', 'commit done, answer lost'],
      perform: async (fault) => {
        if (fault === 'commit lost') return this.#break()
        // Of a transaction that failed, a commit takes back what was done, and says that all is well.
        await this.#end(this.#state === 'failed' ? 'rollback' : 'commit', 'free')
        if (fault !== null) return this.#break()
        return { rows: [] }
      },
    })
  }

  #rollback(): Promise<object> {
    return this.#ask({
      name: 'rollback',
      perform: async () => {
        await this.#end('rollback', 'free')
        return { rows: [] }
      },
    })
  }

  /** The line is cut: the server rolls back what was open. */
  async #break(): Promise<never> {
    await this.cut()
    throw broken()
  }

  async cut(): Promise<void> {
    await this.#end('rollback', 'broken')
  }

  async #end(how: 'commit' | 'rollback', then: 'free' | 'failed' | 'broken'): Promise<void> {
    const open = this.#state === 'open'
    this.#state = then
    if (!open) return
    await this.#database.end(this.#login, how)
    this.#database.holder = null
  }
}
