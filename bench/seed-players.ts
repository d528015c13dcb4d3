import { Client } from 'pg'
import { makeLog } from './bench-postgres.ts'

/** Enough that no claim waits for another of the same player, and every worker has something to claim. */
export const PLAYERS = 20_000

// Together with the player's eight digits it is the base58 of 32 bytes, like every wallet.
const PREFIX = 'BenchBenchBenchBenchBenchBenchBenchB'

// Base58 has no 0. The same in SQL is `walletSql`.
const digits = (player: number): string => String(player).padStart(8, '0').replaceAll('0', 'z')

/** The token that a player (1 to PLAYERS) is logged in with. */
export const tokenOf = (player: number): string => `bench-token-${digits(player)}`

/** Each player owns one worker. */
export const workerOf = (player: number): string => `bigman-${String(player).padStart(5, '0')}`

const digitsSql = (player: string): string => `translate(lpad(${player}::text, 8, '0'), '0', 'z')`

export const walletOf = (player: number): string => `${PREFIX}${digits(player)}`

/** The same as an SQL expression over the player's number. */
export const walletSql = (player: string): string => `'${PREFIX}' || ${digitsSql(player)}`

/** A player's worker, as an SQL expression over the player's number. */
const workerSql = (player: string): string => `'bigman-' || lpad(${player}::text, 5, '0')`

/** Creates players with accounts, a session and a bigman that was hired an hour ago. */
export async function seedPlayers(ownerUrl: string): Promise<void> {
  const everybody = `generate_series(1, ${PLAYERS}) as player`
  await runAsOwner(ownerUrl, [
    `insert into users (wallet, created_at) select ${walletSql('player')}, now() from ${everybody}`,
    `insert into accounts (wallet, class) select ${walletSql('player')}, class
     from ${everybody}, unnest(enum_range(null::credit_class)) as class`,
    `insert into workers (wallet, worker_id, worker_type, rate_per_hour, since, purchased_at)
     select ${walletSql('player')}, ${workerSql('player')}, 'bigman', 100000, now() - interval '1 hour', now() - interval '1 hour'
     from ${everybody}`,
    `update worker_types set max_supply = ${PLAYERS}, sold = ${PLAYERS} where worker_type = 'bigman'`,
    `insert into sessions (token_hash, wallet, created_at, seen_at)
     select sha256(convert_to('bench-token-' || ${digitsSql('player')}, 'utf8')), ${walletSql('player')}, now(), now()
     from ${everybody}`,
    'vacuum analyze',
  ])
}

const SEE_ALL = 'update sessions set seen_at = now()'

/** Recent sessions, WAL files that exist already, and no checkpoint pending. */
export const prepareCluster = (ownerUrl: string): Promise<void> => runAsOwner(ownerUrl, [SEE_ALL, ...makeLog])

/** Marks all sessions as recently used. */
export const refreshSessions = (ownerUrl: string): Promise<void> => runAsOwner(ownerUrl, [SEE_ALL])

/** Statements of the benchmark itself, with all rights. */
export async function runAsOwner(ownerUrl: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: ownerUrl })
  // A lost connection rejects the running query; without a listener it would end the process as well.
  client.on('error', () => {})
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
