import { tmpdir } from 'node:os'
import type { Address, Chain } from '#server/chain/port.ts'
import { type Db, openDb } from '#server/platform/db/db.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { applyWorld } from '#server/world/apply-world.ts'
import { readWorldFile } from '#server/world/world-config.ts'
import { withLogin } from '#server/platform/db/roles.ts'
import { type BenchPostgres, PASSWORDS } from '../bench-postgres.ts'
import { expectCleanAudit, openOwnerDb } from '../audit.ts'
import { runAsOwner, walletSql } from '../seed-players.ts'
import type { Run } from '../suite.ts'

/** A database in which every player deposited once, and all but the last hundred accounts have been swept. */
export type DepositedWorld = {
  accounts: number
  /** With the watcher's login. */
  db: Db
  chain: Chain
  audit(): Promise<void>
}

export const OPEN = 100
export const TREASURY = 'treasury'
const DEPOSIT = 5_000_000n

const LOT = 50_000

/** Fills a new database with this many deposits, receipts and sweeps. */
export async function fillWithDeposits(
  { ownerUrl }: BenchPostgres,
  accounts: number,
  closers: Run['closers'],
): Promise<DepositedWorld> {
  const name = `reserve_${accounts}`
  await runAsOwner(ownerUrl, [`create database ${name}`])
  const owner = inDatabase(ownerUrl, name)
  await migrate({ url: owner, passwords: PASSWORDS, ownCluster: true })
  await applyWorld(owner, readWorldFile({ worldFile: '', dataDir: tmpdir() }))
  await runAsOwner(owner, [
    'set synchronous_commit = off',
    // Before the deposits: a game never has a million accounts open at once, and an index that held them stays large.
    `insert into sweeps (id, token_account, amount, signature, wire, last_valid_height, state, at)
     select uuidv7(), 'account ' || player, ${DEPOSIT}, 'sweep ' || player, '', 0, 'finalized', now() - interval '1 day'
     from generate_series(1, ${accounts - OPEN}) as player`,
    ...Array.from({ length: Math.ceil(accounts / LOT) }, (_, at) =>
      depositsOf({ first: at * LOT + 1, last: Math.min(accounts, (at + 1) * LOT) }),
    ),
    'vacuum analyze',
    'checkpoint',
  ])
  const watcher = withLogin(owner, { name: 'watcher', password: PASSWORDS.watcher })
  const db = openDb(watcher, { max: 1, applicationName: 'bench-reserve', allowFullScans: true })
  const books = openOwnerDb(`${owner}?statement_timeout=900000`, { closers })
  closers.push(() => db.end())
  return { accounts, db, chain: chainOf(accounts), audit: () => expectCleanAudit(books) }
}

function inDatabase(url: string, name: string): string {
  const moved = new URL(url)
  moved.pathname = `/${name}`
  return moved.href
}

const depositsOf = ({ first, last }: { first: number; last: number }): string =>
  `with given as materialized (
     select uuidv7() as id, player, ${walletSql('player')} as wallet from generate_series(${first}, ${last}) as player
   ), owning as (
     insert into accounts (wallet, class, balance, version)
     select wallet, class, case class when 'deposited' then ${DEPOSIT} else 0 end, case class when 'deposited' then 1 else 0 end
     from given, unnest(enum_range(null::credit_class)) as class
   ), addressed as (
     insert into deposit_addresses (index, owner, token_account, wallet, assigned_at)
     select player, 'owner ' || player, 'account ' || player, wallet, now() from given
   ), received as (
     insert into receipts (signature, token_account, wallet, asset, amount, slot, state, seen_at, credited_at, journal_id)
     select 'deposit ' || player, 'account ' || player, wallet, 'cotton', ${DEPOSIT}, player, 'credited', now(), now(), id from given
   ), booked as (
     insert into journals (id, wallet, kind, at, detail) select id, wallet, 'deposit', now(), '{}' from given
   )
   insert into entries (wallet, journal_id, line, account, amount, balance_after, version)
   select wallet, id, 0, 'treasury'::ledger_account, ${-DEPOSIT}, null::bigint, null::bigint from given
   union all
   select wallet, id, 1, 'deposited', ${DEPOSIT}, ${DEPOSIT}, 1 from given`

/** A node that answers from memory with what the ledger expects, so that only the database is measured. */
function chainOf(accounts: number): Chain {
  const slot = BigInt(accounts) + 1n
  const treasury = BigInt(accounts - OPEN) * DEPOSIT
  return {
    nodes: [],
    tokenAccountOf: async (owner: Address) => owner,
    tokenBalances: async (addresses: readonly string[]) => ({
      slot,
      amounts: addresses.map((account) => (account === TREASURY ? treasury : DEPOSIT)),
    }),
    statuses: async (signatures: readonly string[]) => signatures.map(() => null),
  } as unknown as Chain
}
