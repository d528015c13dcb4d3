import { isAddress } from '@solana/kit'
import {
  type Address,
  type Chain,
  ChainUnavailable,
  type Signature,
  type SignatureStatus,
} from '#server/chain/port.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import {
  type AccountReading,
  landedAt,
  type ReserveReading,
  compareReserve,
  type ReserveComparison,
} from './compare-reserve.ts'
import {
  type Books,
  type BooksQuery,
  namesOf,
  ownTransactions,
  readAhead,
  readBooks,
} from './read-reserve-books.ts'

/** How many accounts a node reads at one slot. */
const MAX_PAGE_SIZE = 100

/**
 * How far a page may be behind the one before. The machines behind one address differ by a few slots, and with many pages one
 * of them would always be behind. Far less than `SWEEP_LIFE_MS`.
 */
const PAGE_LAG_SLOTS = 32n

/** A sweep that was signed longer ago has landed or never will, because its blockhash has expired. */
const SWEEP_LIFE_MS = 5 * 60_000

/** The largest lag of a node that still answers. */
const FURTHEST_BEHIND_MS = 2 * 60_000

// Accounts that are expected to be empty are not read: tokens in them could only add to the surplus.
const readFilled = sql({
  name: 'solvency-read-filled',
  row: rowOf<{ account: Address }>(),
  text: `select token_account as account from token_account_totals where is_open
   union
   select s.token_account from sweeps s join token_account_totals t using (token_account)
   where s.state = 'signed' and t.credited > 0
   order by 1`,
})

/**
 * `impossible` lists accounts of receipts that are no addresses. They hold nothing, so what they brought is owed only.
 * `fundedAhead` is the funding of the pool with tokens that arrived after the slot.
 */
export type Snapshot = ReserveComparison & { impossible: readonly string[]; fundedAhead: bigint }

export type SnapshotDeps = { db: Queryable; chain: Chain }

/** `cold` lists the wallets of cold storage. `pageSize` is the number of accounts per call, at most 100. */
export type SnapshotOptions = {
  treasury: string
  cold: readonly string[]
  notBefore: bigint
  now: Date
  pageSize?: number
}

/**
 * Compares the tokens of the game with what it owes, as of one finalized slot that is `notBefore` or later. Reads only
 * deposit accounts that are not expected to be empty, a hundred per call, and in the last call cold storage and the
 * treasury. A receipt that is wrong must not stop the check: what it credits counts as owed. Rejects with
 * `ChainUnavailable`.
 */
export async function takeSnapshot(deps: SnapshotDeps, at: SnapshotOptions): Promise<Snapshot> {
  const reading = await readReserve(deps, at)
  return compare(reading, reading.books)
}

/** What the chain shows of the reserve at one slot, and the books that were read with it. */
export type ReserveView = Tokens & {
  query: BooksQuery
  books: Books
  transactions: Map<Signature, SignatureStatus | null>
  unproven: ReadonlyMap<Address, bigint>
  later: ReadonlyMap<string, bigint>
}

/** Reads what `takeSnapshot` compares. Rejects with `ChainUnavailable`. */
export async function readReserve({ db, chain }: SnapshotDeps, at: SnapshotOptions): Promise<ReserveView> {
  const tokens = await readTokens({ db, chain }, at)
  const { slot, read } = tokens
  const before = (ms: number): Date => new Date(at.now.getTime() - ms)
  const slots = [...read.values()].map((each) => each.slot)
  const query = {
    read: [...read].map(([account, each]) => ({ token_account: account, slot: each.slot })),
    slot,
    landedAfter: before(SWEEP_LIFE_MS),
    settledAfter: before(FURTHEST_BEHIND_MS),
    oldestSlot: slots.reduce((oldest, each) => (each < oldest ? each : oldest), slot),
  }
  const books = await readBooks(db, query)
  const later = await readLater({ db, chain }, findUnread(books, read), slot)
  const transactions = await readStatuses(chain, ownTransactions(books))
  const unproven = await findUnproven(chain, books.ahead, read)
  return { ...tokens, query, books, transactions, unproven, later }
}

/**
 * Compares a reading with what the books say now, in a transaction. Deposits that were credited since then change nothing:
 * they add to tokens and to debts alike. Rejects with `ChainUnavailable` if the game's own transactions have changed.
 */
export async function compareAgain(db: Queryable, view: ReserveView): Promise<Snapshot> {
  const books = await readBooks(db, view.query)
  if (namesOf(books) !== namesOf(view.books))
    throw new ChainUnavailable('Payouts or sweeps have changed since the chain was read. Try again.')
  return compare(view, books)
}

function compare({ slot, treasury, cold, read, impossible, ...view }: ReserveView, books: Books): Snapshot {
  const { accounts, sweeps, payouts, ahead: _ahead, fundedAhead, ...owed } = books
  const { unproven, transactions, later } = view
  const comparison = compareReserve({
    slot,
    treasury,
    cold,
    accounts: joinReadings(accounts, { read, unproven, later }),
    ...joinTransactions({ sweeps, payouts }, transactions),
    owed,
    fundedAhead,
    unproven: sumOf(unproven.values()),
  })
  return { ...comparison, impossible, fundedAhead }
}

type Tokens = Pick<Snapshot, 'slot' | 'treasury' | 'cold' | 'impossible'> & { read: Map<Address, OnChain> }

/** Reads the balances of deposit accounts from the chain, and at one slot those of the treasury and cold storage. */
async function readTokens(
  { db, chain }: SnapshotDeps,
  { treasury, cold, notBefore, pageSize = MAX_PAGE_SIZE }: SnapshotOptions,
): Promise<Tokens> {
  const treasuryTokens = await chain.tokenAccountOf(treasury as Address)
  const filled = await db.rows(readFilled)
  const accounts = filled.map((row) => row.account)
  const deposits = accounts.filter(isAddress)
  const impossible = accounts.filter((account) => !isAddress(account))
  // COLD_WALLETS may name the treasury or a deposit address. These must not count twice.
  const counted = new Set([...deposits, treasuryTokens])
  const coldTokens = (await coldAccounts(chain, cold)).filter((account) => !counted.has(account))
  const together = [...coldTokens, treasuryTokens]
  const read = await readPages(chain, { deposits, together, notBefore, pageSize })
  const { slot, amount } = read.get(treasuryTokens)!
  const inCold = sumOf(coldTokens.map((account) => read.get(account)!.amount))
  for (const account of together) read.delete(account)
  for (const account of impossible) read.set(account, { slot, amount: 0n })
  return { slot, treasury: amount, cold: inCold, read, impossible }
}

/** Adds their statuses to open and recent sweeps and payouts. */
function joinTransactions(
  { sweeps, payouts }: Pick<Books, 'sweeps' | 'payouts'>,
  known: ReadonlyMap<Signature, SignatureStatus | null>,
): Pick<ReserveReading, 'sweeps' | 'openPayouts' | 'settledPayouts'> {
  const statusOf = (signature: Signature): SignatureStatus | null => known.get(signature) ?? null
  const transactions = payouts.map(([of, settled, signatures]) => ({
    amount: BigInt(of),
    settled,
    status: landedOf(signatures.map(statusOf)),
  }))
  return {
    sweeps: sweeps.map(([signature, of, account]) => ({
      amount: BigInt(of),
      account,
      status: statusOf(signature),
    })),
    openPayouts: transactions.filter((payout) => !payout.settled),
    settledPayouts: transactions.filter((payout) => payout.settled),
  }
}

const sumOf = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((sum, amount) => sum + amount, 0n)

async function readStatuses(
  chain: Chain,
  signatures: readonly Signature[],
): Promise<Map<Signature, SignatureStatus | null>> {
  const statuses = await chain.statuses(signatures)
  return new Map(signatures.map((signature, at) => [signature, statuses[at] ?? null]))
}

// Of all transactions that were signed for one payout, at most one lands.
function landedOf(statuses: readonly (SignatureStatus | null)[]): SignatureStatus | null {
  return statuses.find((status) => landedAt({ status }) !== null) ?? statuses[0] ?? null
}

type OnChain = { slot: bigint; amount: bigint }

type Paging = { deposits: Address[]; together: Address[]; notBefore: bigint; pageSize: number }

/**
 * The accounts that each call reads. The operator moves tokens between treasury and cold storage at any time, so these are
 * read `together` in the last call, at one slot.
 */
export function pagesOf(
  deposits: Address[],
  { together, pageSize }: Pick<Paging, 'together' | 'pageSize'>,
): Address[][] {
  const pages: Address[][] = []
  let rest = deposits
  while (rest.length > 0 && rest.length + together.length > pageSize) {
    pages.push(rest.slice(0, pageSize))
    rest = rest.slice(pageSize)
  }
  return [...pages, [...rest, ...together]]
}

// Reads the pages one after the other, the last one at the newest slot. The database shows what moved between two pages.
async function readPages(
  chain: Chain,
  { deposits, together, notBefore, pageSize }: Paging,
): Promise<Map<Address, OnChain>> {
  const read = new Map<Address, OnChain>()
  let newest = notBefore
  const pages = pagesOf(deposits, { together, pageSize })
  for (const page of pages) {
    const oldest = page === pages.at(-1) ? newest : newest - PAGE_LAG_SLOTS
    const of = { notBefore: oldest > notBefore ? oldest : notBefore }
    const { slot, amounts } = await chain.tokenBalances(page, of)
    for (const [at, address] of page.entries()) read.set(address, { slot, amount: amounts[at]! })
    if (slot > newest) newest = slot
  }
  return read
}

/** The accounts that should hold tokens, and that were expected to be empty when the accounts were read: how much each. */
function findUnread({ accounts, sweeps }: Books, read: ReadonlyMap<Address, OnChain>): Map<string, bigint> {
  const sweepsOf = Map.groupBy(sweeps, ([, , account]) => account)
  const unread = new Map<string, bigint>()
  for (const [account, credited, , swept] of accounts) {
    const moved = sumOf((sweepsOf.get(account) ?? []).map(([, amount]) => BigInt(amount)))
    const expected = BigInt(credited) - BigInt(swept) - moved
    if (!read.has(account as Address) && expected > 0n) unread.set(account, expected)
  }
  return unread
}

/**
 * What these accounts hold at the slot of the snapshot or later, as far as any node shows. The ledger alone proves nothing: a
 * deposit could be forged between the two readings of every snapshot.
 */
async function readLater(
  { db, chain }: SnapshotDeps,
  unread: ReadonlyMap<string, bigint>,
  slot: bigint,
): Promise<Map<string, bigint>> {
  const later = new Map<string, bigint>([...unread.keys()].map((account) => [account, 0n]))
  const behind = new Map<Address, OnChain>()
  const addresses = [...unread.keys()].filter(isAddress)
  for (let from = 0; from < addresses.length; from += MAX_PAGE_SIZE) {
    const page = addresses.slice(from, from + MAX_PAGE_SIZE)
    const { slot: readAt, amounts } = await chain.tokenBalances(page, { notBefore: slot })
    for (const [at, account] of page.entries()) {
      const amount = amounts[at]!
      later.set(account, amount)
      if (amount < unread.get(account)!) behind.set(account, { slot: readAt, amount })
    }
  }
  if (behind.size === 0) return later
  // This node may lag behind the one that showed the deposits when they were credited.
  const ahead = await readAhead(
    db,
    [...behind].map(([account, { slot: readAt }]) => ({ token_account: account, slot: readAt })),
  )
  const unproven = await findUnproven(chain, ahead, behind)
  const aheadOf = Map.groupBy(ahead, ([, , account]) => account)
  for (const [account, { amount }] of behind) {
    const credited = sumOf((aheadOf.get(account) ?? []).map(([, of]) => BigInt(of)))
    later.set(account, amount + credited - (unproven.get(account) ?? 0n))
  }
  return later
}

const AT_ONCE = 8

/**
 * The deposits that the ledger credited from later slots and that no node shows, summed by account. The ledger alone
 * proves nothing: a forged deposit could name a slot that is never reached.
 */
async function findUnproven(
  chain: Chain,
  ahead: Books['ahead'],
  read: ReadonlyMap<Address, OnChain>,
): Promise<Map<Address, bigint>> {
  const unproven = new Map<Address, bigint>()
  const prove = async ([signature, of, tokenAccount, owner]: Books['ahead'][number]): Promise<void> => {
    const amount = BigInt(of)
    const readAt = read.get(tokenAccount)!.slot
    for (const node of owner === null ? [] : chain.nodes) {
      const receipt = await node
        .receipt(signature, { owner: owner!, tokenAccount }, 'finalized')
        .catch(() => null)
      if (receipt && !receipt.failed && receipt.amount >= amount && receipt.slot > readAt) return
    }
    unproven.set(tokenAccount, (unproven.get(tokenAccount) ?? 0n) + amount)
  }
  for (let from = 0; from < ahead.length; from += AT_ONCE)
    await Promise.all(ahead.slice(from, from + AT_ONCE).map(prove))
  return unproven
}

type ChainReadings = Pick<ReserveView, 'read' | 'unproven' | 'later'>

function joinReadings(
  recorded: Books['accounts'],
  { read, unproven, later }: ChainReadings,
): Map<string, AccountReading> {
  const accounts = new Map<string, AccountReading>()
  for (const [account, credited, bySlot, swept] of recorded) {
    accounts.set(account, {
      credited: BigInt(credited),
      creditedBySlot: BigInt(bySlot) + (unproven.get(account as Address) ?? 0n),
      sweptBefore: BigInt(swept),
      chain: read.get(account as Address) ?? null,
      later: later.get(account) ?? null,
    })
  }
  return accounts
}

/** The token accounts of these wallets, each once. */
export async function coldAccounts(chain: Chain, wallets: readonly string[]): Promise<Address[]> {
  return Promise.all([...new Set(wallets)].map((wallet) => chain.tokenAccountOf(wallet as Address)))
}
