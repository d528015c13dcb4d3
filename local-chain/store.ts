import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { EncodedAccount, MaybeEncodedAccount } from '@solana/kit'
import { StartupError } from '#server/platform/startup-error.ts'
import type { Address, Signature } from '#server/chain/port.ts'
import type { InnerInstructions, LoadedAddresses } from './virtual-machine.ts'
import type { ErrorJson } from './solana-errors.ts'
import type { TokenRow } from './token-rows.ts'

/** A transaction in a block. Lamports are decimal strings. */
export type LandedTransaction = {
  signature: Signature
  slot: bigint
  /** Seconds since 1970. */
  blockTime: number
  error: ErrorJson | null
  /** `[byte count] text`, joined by `; `. */
  memo: string | null
  wire: Uint8Array
  meta: {
    fee: string
    logs: string[]
    unitsConsumed: number
    keys: Address[]
    loaded: LoadedAddresses
    inner: InnerInstructions[]
    preBalances: string[]
    postBalances: string[]
    preTokens: TokenRow[]
    postTokens: TokenRow[]
  }
}

export type HistoryEntry = Pick<LandedTransaction, 'signature' | 'slot' | 'blockTime' | 'error' | 'memo'>

type Row = Record<string, unknown>

/** A reader holds a lock for a moment while it opens or closes the file. */
const READER_WAIT_MS = 5_000

const SCHEMA = `
  create table if not exists fact (name text primary key, value any) strict;
  create table if not exists account (
    address text primary key, lamports integer, program text, executable integer, data blob
  ) strict;
  create table if not exists landed (
    seq integer primary key, signature text unique, slot integer, block_time integer, error text, memo text,
    wire blob, meta text
  ) strict;
  create table if not exists touched (
    address text, seq integer references landed, primary key (address, seq)
  ) strict, without rowid;
`

/**
 * The chain's data on disk. Every write is atomic and synced before it returns. One process locks the folder; a second
 * one is refused. Other processes can read the file meanwhile, which backups do.
 */
export class Store {
  readonly #lock: DatabaseSync
  readonly #db: DatabaseSync

  constructor(dir: string) {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    const path = join(dir, 'chain.sqlite')
    this.#lock = lockFolder(dir)
    this.#db = new DatabaseSync(path, { timeout: READER_WAIT_MS })
    try {
      this.#db.exec('pragma journal_mode = wal; pragma synchronous = full;')
      this.#db.exec(SCHEMA)
    } catch (error) {
      this.close()
      throw error
    }
    // The file contains the key of the test mint.
    chmodSync(path, 0o600)
  }

  /** The stored bytes with this name. They are created on first use. */
  readOrCreateBytes(name: string, make: () => Uint8Array): Uint8Array {
    const found = this.#one('select value from fact where name = ?', name)
    if (found !== undefined) return found.value as Uint8Array
    const value = make()
    this.#run('insert into fact values (?, ?)', name, value)
    return value
  }

  readNumber(name: string): bigint | null {
    return (this.#one('select value from fact where name = ?', name)?.value as bigint | undefined) ?? null
  }

  setNumber(name: string, value: bigint): void {
    this.#run('insert into fact values (?, ?) on conflict do update set value = excluded.value', name, value)
  }

  /** Programs come last: LiteSVM loads an upgradeable one from another account, which must be there. */
  *accounts(): Iterable<EncodedAccount> {
    for (const executable of [0, 1])
      for (const row of this.#all('select * from account where executable = ?', executable)) {
        const data = row.data as Uint8Array
        yield {
          address: row.address,
          lamports: row.lamports,
          programAddress: row.program,
          executable: executable === 1,
          space: BigInt(data.length),
          data,
        } as EncodedAccount
      }
  }

  saveAccount(account: MaybeEncodedAccount): void {
    if (!account.exists) {
      this.#run('delete from account where address = ?', account.address)
      return
    }
    const { address, lamports, programAddress, executable, data } = account
    this.#run(
      'insert or replace into account values (?, ?, ?, ?, ?)',
      address,
      lamports,
      programAddress,
      executable ? 1 : 0,
      Uint8Array.from(data),
    )
  }

  /** Stores a transaction with every account that it changed. */
  append(landed: LandedTransaction, changed: readonly MaybeEncodedAccount[]): void {
    this.#db.exec('begin immediate')
    try {
      const { lastInsertRowid } = this.#run(
        'insert into landed (signature, slot, block_time, error, memo, wire, meta) values (?, ?, ?, ?, ?, ?, ?)',
        landed.signature,
        landed.slot,
        landed.blockTime,
        landed.error === null ? null : JSON.stringify(landed.error),
        landed.memo,
        landed.wire,
        JSON.stringify(landed.meta),
      )
      for (const address of new Set(landed.meta.keys))
        this.#run('insert into touched values (?, ?)', address, lastInsertRowid)
      for (const account of changed) this.saveAccount(account)
      this.#db.exec('commit')
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('rollback')
      throw error
    }
  }

  find(signature: string): LandedTransaction | null {
    const row = this.#one('select * from landed where signature = ?', signature)
    return row === undefined
      ? null
      : { ...toHistoryEntry(row), wire: row.wire as Uint8Array, meta: json(row.meta) }
  }

  status(signature: string): Pick<LandedTransaction, 'slot' | 'error'> | null {
    const row = this.#one('select slot, error from landed where signature = ?', signature)
    return row === undefined ? null : { slot: row.slot as bigint, error: json(row.error) }
  }

  /** Newest first, none above `slot`. An unknown `before` finds nothing; an unknown `until` has no effect. */
  history(
    address: Address,
    query: { slot: bigint; before: string | null; until: string | null; limit: number },
  ): HistoryEntry[] {
    const newest = query.before === null ? null : this.#seq(query.before)
    if (query.before !== null && newest === null) return []
    const oldest = query.until === null ? null : this.#seq(query.until)
    return this.#all(
      `select signature, slot, block_time, error, memo from touched join landed using (seq)
       where address = ? and slot <= ? and seq < coalesce(?, seq + 1) and seq > coalesce(?, 0)
       order by seq desc limit ?`,
      address,
      query.slot,
      newest,
      oldest,
      query.limit,
    ).map(toHistoryEntry)
  }

  count(): bigint {
    return this.#one('select count(*) as n from landed')!.n as bigint
  }

  close(): void {
    this.#db.close()
    this.#lock.close()
  }

  #seq(signature: string): bigint | null {
    return (
      (this.#one('select seq from landed where signature = ?', signature)?.seq as bigint | undefined) ?? null
    )
  }

  readonly #statements = new Map<string, ReturnType<DatabaseSync['prepare']>>()

  #prepared(sql: string) {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#db.prepare(sql)
      statement.setReadBigInts(true)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  #run(sql: string, ...values: SQLInputValue[]) {
    return this.#prepared(sql).run(...values)
  }

  #one(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepared(sql).get(...values) as Row | undefined
  }

  #all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepared(sql).all(...values) as Row[]
  }
}

/** SQLite uses a kernel lock, which ends with the process however it dies. Nothing is written, so there is no journal. */
function lockFolder(dir: string): DatabaseSync {
  const lock = new DatabaseSync(join(dir, 'chain.lock'))
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return lock
  } catch (cause) {
    lock.close()
    throw new StartupError(`Another local chain is running on ${dir}: stop it, or choose another DATA_DIR.`, {
      cause,
    })
  }
}

function toHistoryEntry(row: Row): HistoryEntry {
  return {
    signature: row.signature as Signature,
    slot: row.slot as bigint,
    blockTime: Number(row.block_time),
    error: json(row.error),
    memo: row.memo as string | null,
  }
}

function json<T>(text: unknown): T {
  return JSON.parse((text as string | null) ?? 'null') as T
}
