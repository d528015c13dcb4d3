import { migrate } from '#server/platform/db/migrate.ts'
import { type Db, openDb } from '#server/platform/db/db.ts'
import { withLogin } from '#server/platform/db/roles.ts'
import { type BenchPostgres, PASSWORDS } from '../bench-postgres.ts'
import { runAsOwner, walletSql } from '../seed-players.ts'
import type { Run } from '../suite.ts'

/** A database with assigned deposit addresses. Each received a deposit once, and all but the last hundred were swept. */
export type AddressedWorld = { watcherUrl: string; owner: Db }

const DATABASE = 'deposits'
const OPEN = 100
export const DEPOSIT = 5_000_000n
const LOT = 50_000

// As long as real addresses, so that rows and calls are as large.
const accountSql = `rpad('account ' || player || ' ', 44, 'x')`
const ownerSql = `rpad('owner ' || player || ' ', 44, 'x')`

/** The token account of a deposit address, by its number. */
export const accountOf = (player: number): string => `account ${player} `.padEnd(44, 'x')

/** Its owner. */
export const ownerOf = (player: number): string => `owner ${player} `.padEnd(44, 'x')

/** The number of a deposit address, by its token account or its owner. */
export const numberOf = (address: string): number => Number(address.split(' ')[1])

/** Whether the deposit on this address has not been swept. */
export const isOpen = (player: number, count: number): boolean => player > count - OPEN

/** Fills a new database with this many addresses and what the watcher expects on them. */
export async function fillWithAddresses(
  { ownerUrl }: BenchPostgres,
  count: number,
  closers: Run['closers'],
): Promise<AddressedWorld> {
  await runAsOwner(ownerUrl, [`create database ${DATABASE}`])
  const moved = new URL(ownerUrl)
  moved.pathname = `/${DATABASE}`
  const url = moved.href
  await migrate({ url, passwords: PASSWORDS, ownCluster: true })
  await runAsOwner(url, [
    'set synchronous_commit = off',
    ...Array.from({ length: Math.ceil(count / LOT) }, (_, at) =>
      addressesOf({ first: at * LOT + 1, last: Math.min(count, (at + 1) * LOT), count }),
    ),
    'vacuum analyze',
    'checkpoint',
  ])
  const owner = openDb(url, { max: 1, applicationName: 'bench-deposits', allowFullScans: true })
  closers.push(() => owner.end())
  return { owner, watcherUrl: withLogin(url, { name: 'watcher', password: PASSWORDS.watcher }) }
}

type Lot = { first: number; last: number; count: number }

const addressesOf = ({ first, last, count }: Lot): string =>
  `with given as materialized (select player from generate_series(${first}, ${last}) as player), addressed as (
     insert into deposit_addresses (index, owner, token_account, wallet, assigned_at)
     select player, ${ownerSql}, ${accountSql}, ${walletSql('player')}, now() from given
   )
   insert into token_account_totals (token_account, credited, swept)
   select ${accountSql}, ${DEPOSIT}, case when player > ${count - OPEN} then 0 else ${DEPOSIT} end from given`
