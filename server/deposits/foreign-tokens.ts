import type { Address, Chain, Signature } from '#server/chain/port.ts'
import { LARGE_DEPOSIT } from '#server/platform/config.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import type { ScanDeps } from './credit-deposits.ts'
import { readArrivals, withoutRepeats } from './read-arrivals.ts'
import { recordArrivals } from './record-arrivals.ts'
import type { AssignedAddress } from './take-address.ts'
import type { Balance, UnexplainedBalances } from './unexplained-balances.ts'

const PAGE = 50

/** How much of a history is read. Anyone can lengthen it, and one of an account that somebody gives away may be long. */
const MAX_PAGES = 20

const sumRecorded = sql({
  name: 'foreign-sum-recorded',
  params: { wallet: 'text', addresses: 'text[]' },
  row: rowOf<{ account: Address; recorded: string }>(),
  text: ({ wallet, addresses }) =>
    `select token_account as account, sum(amount)::text as recorded from receipts
     where wallet = ${wallet} and token_account = any(${addresses}) and asset = 'other_token' and state = 'unclaimed'
     group by token_account`,
})

const findRecorded = sql({
  name: 'foreign-find-recorded',
  params: { account: 'text', signatures: 'text[]' },
  row: rowOf<{ signature: string }>(),
  text: ({ account, signatures }) =>
    `select signature from receipts where token_account = ${account} and asset = 'other_token' and signature = any(${signatures})`,
})

const readKnown = sql({
  name: 'foreign-read-known',
  params: { after: 'text', limit: 'integer' },
  row: rowOf<KnownAccount>(),
  text: ({ after, limit }) =>
    `select known.account, known.recorded, a.wallet, a.owner, a.token_account as "tokenAccount",
       a.assigned_slot as "assignedSlot"
     from (
       select token_account as account, wallet, sum(amount)::text as recorded from receipts
       where state = 'unclaimed' and asset = 'other_token' and wallet is not null and token_account > ${after}
       group by token_account, wallet order by token_account limit ${limit}
     ) known join deposit_addresses a on a.wallet = known.wallet order by known.account`,
})

/** A foreign account that has received tokens, the deposit address that owns it, and the recorded amount. */
export type KnownAccount = AssignedAddress & { account: Address; recorded: string }

/** A foreign account that holds more than the recorded amount, which is what the database expects. */
export type UnrecordedTokens = Balance & { tokenAccount: Address }

/** The number of the round, and the balances that whole histories have not explained. */
export type ForeignRounds = { round: number; unexplained: UnexplainedBalances }

/**
 * The foreign accounts of an owner that hold more than is recorded. This also finds accounts that no transaction of the
 * owner has named, at the cost of one RPC call for this owner. Rejects with `ChainUnavailable`.
 */
export async function findUnrecorded(
  { db, chain }: ScanDeps,
  address: AssignedAddress,
  rounds: ForeignRounds,
): Promise<UnrecordedTokens[]> {
  const owned = await chain.ownedAccounts(address.owner)
  const foreign = owned.filter((each) => each.address !== address.tokenAccount && each.amount > 0n)
  if (foreign.length === 0) return []
  const rows = await db.rows(sumRecorded, {
    wallet: address.wallet,
    addresses: foreign.map((each) => each.address),
  })
  const recordedOf = new Map(rows.map((row) => [row.account, row.recorded]))
  return foreign.flatMap(({ address: account, amount }) =>
    findDue({ account, amount, recorded: recordedOf.get(account) ?? '0' }, rounds),
  )
}

/** At most `limit` known foreign accounts after the account `after`, in the order of their addresses. */
export function readKnownAccounts(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<KnownAccount[]> {
  return db.rows(readKnown, { after, limit })
}

/**
 * For each of these known accounts (at most 100) in order: the unrecorded tokens that it holds, or null. One RPC call for
 * all of them. Rejects with `ChainUnavailable`.
 */
export async function findUnrecordedAmong(
  chain: Chain,
  known: readonly KnownAccount[],
  rounds: ForeignRounds,
): Promise<(UnrecordedTokens | null)[]> {
  const accounts = await chain.tokenAccounts(known.map((each) => each.account))
  return known.map(({ account, recorded, owner }, at) => {
    const found = accounts[at]
    if (found?.owner !== owner) return null
    return findDue({ account, recorded, amount: found.amount }, rounds)[0] ?? null
  })
}

function findDue(
  { account, amount, recorded }: { account: Address; amount: bigint; recorded: string },
  { round, unexplained }: ForeignRounds,
): UnrecordedTokens[] {
  const tokens = { tokenAccount: account, amount, expected: BigInt(recorded) }
  return tokens.amount > tokens.expected && unexplained.isDue(tokens, round) ? [tokens] : []
}

/**
 * Records tokens of other kinds in an existing token account of a deposit owner. A transfer to such an account names the
 * account and not its owner, so the owner's history does not show it. This reads the account's history back until the
 * missing amount is explained, but no more than its newest 1,000 transactions. Idempotent, like every scan. Rejects with
 * `ChainUnavailable`.
 */
export async function recordForeignTokens(
  { db, chain, clock, largeFrom = LARGE_DEPOSIT }: ScanDeps,
  address: AssignedAddress,
  tokens: UnrecordedTokens,
  { round, unexplained }: ForeignRounds,
): Promise<void> {
  const { tokenAccount: account, amount, expected } = tokens
  let left = amount - expected
  let readAll = true
  let before: Signature | undefined
  for (let pages = 0; left > 0n && pages < MAX_PAGES; pages++) {
    const page = await chain.history(account, { limit: PAGE, commitment: 'finalized', before })
    if (page.length === 0) break
    before = page.at(-1)!.signature
    const known = await db.rows(findRecorded, { account, signatures: page.map((item) => item.signature) })
    const fresh = withoutRepeats(page).filter(
      (item) => !item.failed && !known.some(({ signature }) => signature === item.signature),
    )
    const read = await readArrivals(chain, { ...address, history: account, largeFrom }, fresh)
    const arrivals = read.filter((each) => each !== null)
    // If the node does not return a transaction that its history names, the next scan reads again.
    readAll &&= arrivals.length === read.length
    // The same step as in every scan, because the transaction may contain a deposit as well.
    await db.transaction((tx) => recordArrivals(tx, { address, arrivals, clock, cursor: null }))
    for (const { receipt } of arrivals)
      for (const unsupported of receipt?.unsupported ?? [])
        if (unsupported.account === account) left -= unsupported.amount
  }
  // What the whole history does not explain may be in the history of a node that was behind: it is read again, but seldom.
  if (readAll && left > 0n) unexplained.markRead(tokens, round)
}
