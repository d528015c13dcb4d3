import type { Duplex } from 'node:stream'
import { Client, type ClientConfig, type QueryConfig, type QueryResult, TypeOverrides, types } from 'pg'
import { roleNames } from '#server/platform/db/roles.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'

/** The tables that the invariants read. */
const CHECKED_TABLES = new Set([
  'accounts',
  'journals',
  'receipts',
  'withdrawals',
  'sweeps',
  'reward_days',
  'solvency',
  'frozen_wallets',
  'operator_acts',
])

// The tables that triggers also write.
const TOTALS_TABLES: Record<string, string> = {
  receipts: 'token_account_totals',
  sweeps: 'token_account_totals',
  accounts: 'credit_totals',
  entries: 'credit_totals',
}

const WRITE_PATTERN = /(?:insert into|update|delete from)\s+([a-z_]+)/g

/**
 * Functions of the database that write, with their tables. A trigger marks the accounts of a frozen wallet. The invariants
 * compare the withdrawals with the pause, and every round writes other settings.
 */
const WRITING_FUNCTIONS: Record<string, readonly string[]> = {
  freeze_wallet: ['frozen_wallets', 'accounts'],
  unfreeze_wallet: ['frozen_wallets', 'accounts'],
  pause_withdrawals: ['settings', 'withdrawals'],
}
const FUNCTION_PATTERN = new RegExp(`\\b(${Object.keys(WRITING_FUNCTIONS).join('|')})\\(`)

type Table = { name: string; columns: string }
type Statement = { name: string; text: string; values: unknown[]; types: unknown }

/**
 * The real Postgres that all simulated worlds use. The schema `first` contains the initial rows, which are copied into
 * place for each world. The schema `backup` contains the copy that a backup makes and a restore reads.
 */
export class Database {
  /** The connection with the open transaction. No other connection runs statements meanwhile. */
  transactionOwner: object | null = null
  /** True if a checked table may have changed since the last check of the invariants. */
  changed = false
  /** The tables that may have changed since the last check; all of them after a reset or a restore. */
  #writtenSinceCheck: Set<string> | 'all' = 'all'
  /** The tables with uncommitted changes. */
  readonly #written = new Set<string>()
  /** The results of reads, by the text of the statement, then by its login and values. */
  readonly #cache = new Map<string, Map<string, QueryResult>>()
  /** A prefix of statement names. A mutant changes texts, and a prepared statement's name allows only one text. */
  edition = ''
  readonly #clients: ReadonlyMap<string, Client>
  readonly #owner: Client
  /** Another session of the owner, in which no trigger fires and no foreign key is checked. */
  readonly #copier: Client
  readonly #tables: readonly Table[]
  readonly #fresh: FreshDatabase

  private constructor(options: {
    clients: ReadonlyMap<string, Client>
    owner: Client
    copier: Client
    tables: Table[]
    fresh: FreshDatabase
  }) {
    this.#clients = options.clients
    this.#owner = options.owner
    this.#copier = options.copier
    this.#tables = options.tables
    this.#fresh = options.fresh
  }

  static async open(): Promise<Database> {
    const fresh = await freshDatabase()
    const owner = await connectClient(fresh.url)
    // Generated columns cannot be copied.
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
    // A change of the setting discards all plans of the session, so it is set once, in a session of its own.
    const copier = await connectClient(fresh.directUrl)
    await copier.query('set session_replication_role = replica')
    const clients = new Map<string, Client>()
    for (const role of roleNames) clients.set(role, await connectClient(fresh.urlFor(role)))
    return new Database({ clients, owner, copier, tables, fresh })
  }

  /** The URL of one of the logins. The simulation uses only its user name. */
  urlFor(role: 'api' | 'watcher' | 'signer' | 'console'): string {
    return this.#fresh.urlFor(role)
  }

  get ownerUrl(): string {
    return this.#fresh.url
  }

  /**
   * Runs a statement for a login. Outside of a transaction, repeated reads are answered from a cache until a table that
   * they read changes.
   */
  async run(login: string, statement: Statement, isAlone: boolean): Promise<QueryResult> {
    const { text, values, types } = statement
    const name = `${this.edition}${statement.name}`.slice(0, 60)
    const called = FUNCTION_PATTERN.exec(text)?.[1]
    const reads = called === undefined && /^\s*select/i.test(text) && !/for update/i.test(text)
    const cacheKey = isAlone && reads ? `${login} ${JSON.stringify(values, bigintsAsText)}` : null
    const cached = cacheKey === null ? undefined : this.#cache.get(text)?.get(cacheKey)
    if (cached !== undefined) return copyOf(cached)
    const result = await this.#client(login).query({ name, text, values, types } as QueryConfig)
    if (called !== undefined) for (const table of WRITING_FUNCTIONS[called]!) this.#written.add(table)
    if (!reads && (result.rowCount ?? 0) > 0) this.#noteWrites(text)
    if (isAlone) this.#invalidateCache()
    if (cacheKey !== null) this.#cacheResult(text, cacheKey, copyOf(result))
    return result
  }

  #cacheResult(text: string, cacheKey: string, result: QueryResult): void {
    const results = this.#cache.get(text) ?? new Map<string, QueryResult>()
    this.#cache.set(text, results.set(cacheKey, result))
  }

  #noteWrites(text: string): void {
    for (const [, table] of text.matchAll(WRITE_PATTERN))
      this.#written.add(table!).add(TOTALS_TABLES[table!] ?? table!)
  }

  /** After a commit: drops cached reads of the written tables, and requests a check if money tables changed. */
  #invalidateCache(): void {
    for (const table of this.#written) {
      this.changed ||= CHECKED_TABLES.has(table)
      if (this.#writtenSinceCheck !== 'all') this.#writtenSinceCheck.add(table)
      for (const text of this.#cache.keys()) if (text.includes(table)) this.#cache.delete(text)
    }
    this.#written.clear()
  }

  /** The tables that may have changed since the last call. */
  takeWritten(): ReadonlySet<string> | 'all' {
    const written = this.#writtenSinceCheck
    this.#writtenSinceCheck = new Set()
    return written
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

  /** Reads as the owner, who may read everything. */
  async queryAsOwner<Row>(name: string, text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.#owner.query({ name, text, values })).rows as Row[]
  }

  /** Writes as the owner, past the game. No transaction may be open: it could block. */
  async writeAsOwner(name: string, text: string, values: unknown[]): Promise<void> {
    await this.queryAsOwner(name, text, values)
    this.#noteWrites(text)
    this.#invalidateCache()
  }

  async setTrigger(
    { table, trigger }: { table: string; trigger: string },
    how: 'enable' | 'disable',
  ): Promise<void> {
    await this.#owner.query(`alter table ${table} ${how} trigger ${trigger}`)
  }

  /** Stores the current rows as the initial rows of every world. */
  saveInitialState(): Promise<void> {
    return this.#copy('public', 'first')
  }

  async reset(): Promise<void> {
    this.transactionOwner = null
    // A mutant may have left a transaction open.
    for (const client of this.#clients.values()) await client.query('rollback')
    await this.#copy('first', 'public')
  }

  backUp(): Promise<void> {
    return this.#copy('public', 'backup')
  }

  restore(): Promise<void> {
    return this.#copy('backup', 'public')
  }

  async close(): Promise<void> {
    for (const client of [this.#owner, this.#copier, ...this.#clients.values()]) await client.end()
    await this.#fresh.drop()
  }

  #client(login: string): Client {
    const client = this.#clients.get(login)
    if (client === undefined) throw new Error(`nobody logs in as ${login}`)
    return client
  }

  async #copy(from: string, to: string): Promise<void> {
    // Deleting is faster than truncating while tables are this small.
    const steps = this.#tables.flatMap(({ name, columns }) => [
      `delete from ${to}.${name};`,
      `insert into ${to}.${name} (${columns}) overriding system value select ${columns} from ${from}.${name};`,
    ])
    this.#cache.clear()
    if (to === 'public') this.#writtenSinceCheck = 'all'
    await this.#copier.query(`begin; ${steps.join('')} commit;`)
  }
}

const bigintsAsText = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value

function copyOf(result: QueryResult): QueryResult {
  return { ...result, rows: result.rows.map((row: object) => ({ ...row })) }
}

async function connectClient(url: string): Promise<Client> {
  const overrides = new TypeOverrides(types)
  overrides.setTypeParser(types.builtins.INT8, (text: string) => BigInt(text))
  const client = new Client({
    connectionString: url,
    types: overrides,
    pipeline: true,
  } as ClientConfig)
  await client.connect()
  // The server is stopped at the end, so a lost connection is expected.
  client.on('error', () => {})
  return client
}
