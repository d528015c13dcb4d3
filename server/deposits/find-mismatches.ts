import type { Address, Chain } from '#server/chain/port.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import { ACTIVE_MS } from './mark-active.ts'
import type { DepositAddress } from './take-address.ts'

/** How many accounts a node reads in one call, and how many calls run concurrently. */
export const ACCOUNTS_IN_A_CALL = 100
const CALLS_AT_ONCE = 4

/** How many active addresses are compared in a round. */
const GROUP_SIZE = ACCOUNTS_IN_A_CALL * CALLS_AT_ONCE

/** A player's deposit address, with the balance that the database expects in its token account, in base units. */
export type WatchedAddress = DepositAddress & { index: number; expected: bigint; sweeping: bigint }

/** An address whose token account does not hold the expected balance. */
export type BalanceMismatch = WatchedAddress & { amount: bigint }

// A deposit that is not recorded changes the balance. This is true after a sweep, too: a sweep that included it leaves the
// account with less than expected.
const WATCHED_QUERY = `select a.index, a.wallet, a.owner, a.token_account as "tokenAccount",
    coalesce(t.credited + t.unclaimed - t.swept, 0)::text as expected, coalesce(s.amount, 0)::text as sweeping
  from deposit_addresses a
  left join lateral (select * from token_account_totals f where f.token_account = a.token_account) t on true
  left join lateral (select f.amount from sweeps f where f.token_account = a.token_account and f.state = 'signed') s on true`

const readGroup = sql({
  name: 'watch-read-group',
  params: { after: 'integer', limit: 'integer' },
  row: rowOf<Row>(),
  text: ({ after, limit }) =>
    `${WATCHED_QUERY} where a.wallet is not null and a.index > ${after} order by a.index limit ${limit}`,
})

const readActive = sql({
  name: 'watch-read-active',
  params: { since: 'timestamptz', until: 'timestamptz', limit: 'integer' },
  row: rowOf<Row>(),
  text: ({ since, until, limit }) =>
    `${WATCHED_QUERY} where a.wallet is not null and a.lively_at > ${since} and a.lively_at < ${until}
     order by a.lively_at desc limit ${limit}`,
})

const readOfWallets = sql({
  name: 'watch-read-of-wallets',
  params: { wallets: 'text[]' },
  row: rowOf<Row>(),
  text: ({ wallets }) => `${WATCHED_QUERY} where a.wallet = any(${wallets})`,
})

type Row = Omit<WatchedAddress, 'expected' | 'sweeping'> & { expected: string; sweeping: string }

const toWatchedAddresses = (rows: readonly Row[]): WatchedAddress[] =>
  rows.map((row) => ({ ...row, expected: BigInt(row.expected), sweeping: BigInt(row.sweeping) }))

/** At most `limit` addresses after the index `after`, in the order of their indexes. */
export async function readWatchedGroup(
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<WatchedAddress[]> {
  return toWatchedAddresses(await db.rows(readGroup, { after, limit }))
}

/** The addresses of these wallets. */
export async function readWatchedWallets(db: Db, wallets: readonly string[]): Promise<WatchedAddress[]> {
  return toWatchedAddresses(await db.rows(readOfWallets, { wallets }))
}

/**
 * The addresses that are active now, the most recent first, at most 400. One that is marked for a later time was marked by a
 * clock that was ahead, and would displace the others until then.
 */
export async function readActiveGroup(db: Db, now: Date): Promise<WatchedAddress[]> {
  const since = new Date(now.getTime() - ACTIVE_MS)
  const until = new Date(now.getTime() + ACTIVE_MS)
  return toWatchedAddresses(await db.rows(readActive, { since, until, limit: GROUP_SIZE }))
}

/**
 * The addresses of this group that do not hold the expected balance at a confirmed slot. One call per hundred addresses.
 * Rejects with `ChainUnavailable`.
 */
export async function findMismatches(
  chain: Pick<Chain, 'tokenBalances'>,
  group: readonly WatchedAddress[],
  { notBefore }: { notBefore: bigint },
): Promise<BalanceMismatch[]> {
  const calls = Array.from({ length: Math.ceil(group.length / ACCOUNTS_IN_A_CALL) }, (_, at) =>
    group.slice(at * ACCOUNTS_IN_A_CALL, (at + 1) * ACCOUNTS_IN_A_CALL),
  )
  const found: BalanceMismatch[][] = []
  for (let from = 0; from < calls.length; from += CALLS_AT_ONCE) {
    const some = calls.slice(from, from + CALLS_AT_ONCE)
    found.push(...(await Promise.all(some.map((page) => findMismatchesOnPage(chain, page, notBefore)))))
  }
  return found.flat()
}

async function findMismatchesOnPage(
  chain: Pick<Chain, 'tokenBalances'>,
  page: readonly WatchedAddress[],
  notBefore: bigint,
): Promise<BalanceMismatch[]> {
  const accounts = page.map((each): Address => each.tokenAccount)
  const { amounts } = await chain.tokenBalances(accounts, { notBefore, commitment: 'confirmed' })
  return page.flatMap((each, at) => {
    const amount = amounts[at]!
    // A sweep in flight may or may not have landed.
    const isExpected =
      amount === each.expected || (each.sweeping > 0n && amount === each.expected - each.sweeping)
    return isExpected ? [] : [{ ...each, amount }]
  })
}
