import { inspect } from 'node:util'
import type { Duplex } from 'node:stream'
import { Client, type ClientConfig, type QueryConfig, type QueryResult, TypeOverrides, types } from 'pg'
import { roleNames } from '#server/platform/db/roles.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'

// As the server's own connections are set.
const INDEX_SCAN_OPTIONS = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off'

/** What the laws are about. */
const CHECKED_TABLES = new Set(['accounts', 'journals', 'receipts', 'withdrawals', 'sweeps', 'reward_days'])

// What triggers write beside these tables.
const TOTALS_TABLES: Record<string, string> = {
  receipts: 'token_account_totals',
  sweeps: 'token_account_totals',
  accounts: 'credit_totals',
  entries: 'credit_totals',
}

const WRITE_PATTERN = /(?:insert into|update|delete from)\s+([a-z_]+)/g

type Table = { name: string; columns: string }
type Statement = { name: string; text: string; values: unknown[]; types: unknown }

/**
 * The real Postgres under all simulated worlds. A world starts from the rows of the schema `first`, which is copied
 * into place; the schema `backup` takes a copy in the same way, and gives it back.
 */
export class Database {
  /** The line whose transaction is open; nobody else's statement runs meanwhile. */
  transactionOwner: object | null = null
  /** True when something may have been written since it was last looked at. */
  changed = false
  /** The tables that were written to and not committed yet. */
  readonly #written = new Set<string>()
  readonly #cache = new Map<string, { text: string; result: QueryResult }>()
  /** Prepared statements of one name must have one text, which a mutant changes. */
  edition = ''
  readonly #clients: ReadonlyMap<string, Client>
  readonly #owner: Client
  readonly #tables: readonly Table[]
  readonly #fresh: FreshDatabase

  private constructor(options: {
    clients: ReadonlyMap<string, Client>
    owner: Client
    tables: Table[]
    fresh: FreshDatabase
  }) {
    this.#clients = options.clients
    this.#owner = options.owner
    this.#tables = options.tables
    this.#fresh = options.fresh
  }

  static async open(): Promise<Database> {
    const fresh = await freshDatabase()
    const owner = await connectClient(fresh.url)
    // What Postgres generates by itself cannot be copied, and need not be.
    const { rows: tables } = await owner.query<Table>(
      `select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname !~ 'migration'
         and a.attgenerated = ''
       group by c.relname order by 1`,
    )
    const createTables = (schema: string): string =>
      tables
        .map(
          ({ name }) => `create unlogged table ${schema}.${name} (like public.${name} including generated);`,
        )
        .join('')
    await owner.query(
      `create schema first; create schema backup; ${createTables('first')} ${createTables('backup')}`,
    )
    const clients = new Map<string, Client>()
    for (const role of roleNames) clients.set(role, await connectClient(fresh.urlFor(role)))
    return new Database({ clients, owner, tables, fresh })
  }

  /** Connects as one of the logins; only the name of the login matters to the simulation. */
  urlFor(role: 'api' | 'watcher' | 'signer'): string {
    return this.#fresh.urlFor(role)
  }

  get ownerUrl(): string {
    return this.#fresh.url
  }

  /**
   * Runs a statement for a login. Outside of a transaction, what was read since the last change is not asked of
   * Postgres again: it would say the same.
   */
  async run(login: string, statement: Statement, isAlone: boolean): Promise<QueryResult> {
    const { text, values, types } = statement
    const name = `${this.edition}${statement.name}`.slice(0, 60)
    const reads = /^\s*select/i.test(text) && !/for update/i.test(text)
    const cacheKey = isAlone && reads ? `${login} ${name} ${inspect(values, { maxArrayLength: null })}` : null
    const cached = cacheKey === null ? undefined : this.#cache.get(cacheKey)
    if (cached !== undefined) return copyOf(cached.result)
    const result = await this.#client(login).query({ name, text, values, types } as QueryConfig)
    if (!reads && (result.rowCount ?? 0) > 0) {
      for (const [, table] of text.matchAll(WRITE_PATTERN))
        this.#written.add(table!).add(TOTALS_TABLES[table!] ?? table!)
    }
    if (isAlone) this.#invalidateCache()
    if (cacheKey !== null) this.#cache.set(cacheKey, { text, result: copyOf(result) })
    return result
  }

  /** What was written has come to stay: what was read before is old, and where it is money it is to be looked at. */
  #invalidateCache(): void {
    for (const table of this.#written) {
      this.changed ||= CHECKED_TABLES.has(table)
      for (const [cacheKey, { text }] of this.#cache) if (text.includes(table)) this.#cache.delete(cacheKey)
    }
    this.#written.clear()
  }

  /** Opens a transaction together with its first statement, in one round trip. */
  async runFirstInTransaction(login: string, statement: Statement): Promise<QueryResult> {
    const client = this.#client(login)
    const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
    stream.cork()
    const begun = client.query('begin')
    const ran = this.run(login, statement, false)
    stream.uncork()
    await begun
    return ran
  }

  async endTransaction(login: string, outcome: 'commit' | 'rollback'): Promise<void> {
    await this.#client(login).query(outcome)
    if (outcome === 'commit') this.#invalidateCache()
    this.#written.clear()
  }

  /** What the owner reads, who sees everything. */
  async queryAsOwner<Row>(name: string, text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.#owner.query({ name, text, values })).rows as Row[]
  }

  async executeAsOwner(text: string): Promise<void> {
    await this.#owner.query(text)
  }

  /** What is there now is what every world starts from. */
  saveInitialState(): Promise<void> {
    return this.#copy('public', 'first')
  }

  reset(): Promise<void> {
    this.transactionOwner = null
    return this.#copy('first', 'public')
  }

  backUp(): Promise<void> {
    return this.#copy('public', 'backup')
  }

  restore(): Promise<void> {
    return this.#copy('backup', 'public')
  }

  async close(): Promise<void> {
    for (const client of [this.#owner, ...this.#clients.values()]) await client.end()
    await this.#fresh.drop()
  }

  #client(login: string): Client {
    const client = this.#clients.get(login)
    if (client === undefined) throw new Error(`nobody logs in as ${login}`)
    return client
  }

  async #copy(from: string, to: string): Promise<void> {
    // Deleting is quicker than truncating while tables are this small.
    const steps = this.#tables.flatMap(({ name, columns }) => [
      `delete from ${to}.${name};`,
      `insert into ${to}.${name} (${columns}) overriding system value select ${columns} from ${from}.${name};`,
    ])
    this.#cache.clear()
    await this.#owner.query(`begin; set local session_replication_role = replica; ${steps.join('')} commit;`)
  }
}

function copyOf(result: QueryResult): QueryResult {
  return { ...result, rows: result.rows.map((row: object) => ({ ...row })) }
}

async function connectClient(url: string): Promise<Client> {
  const overrides = new TypeOverrides(types)
  overrides.setTypeParser(types.builtins.INT8, (text: string) => BigInt(text))
  const client = new Client({
    connectionString: url,
    options: INDEX_SCAN_OPTIONS,
    types: overrides,
    pipeline: true,
  } as ClientConfig)
  await client.connect()
  // Stopping the server at the end is no news.
  client.on('error', () => {})
  return client
}
