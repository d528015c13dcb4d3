import { baseUnits, type Cotton, ZERO } from '#game/cotton.ts'
import { CLASSES, type Credit, type CreditClass, type Line } from '#game/credit.ts'
import { assert } from '#server/platform/assert.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'
import { journalId } from './journal-id.ts'

export type MoveKind =
  | 'deposit'
  | 'claim'
  | 'hire'
  | 'parcel'
  | 'resale'
  | 'withdrawal'
  | 'settlement'
  | 'refund'
  | 'funding'
  | 'adjustment'

/** One move: who asked for it, why, and its lines, which sum to zero. */
export type Posting = {
  wallet: string
  kind: MoveKind
  at: Date
  /** What the player's history says of it: ids, counts, signatures. */
  detail: Readonly<Record<string, string | number>>
  lines: readonly Line[]
}

/**
 * The accounts of some wallets, locked until the transaction ends. Moves are posted in memory, each seeing the
 * balances that the one before it left, and `close` writes them all in one statement, without waiting for its answer.
 */
export type Book = {
  /** What the wallet holds now, with everything posted so far. */
  purse(wallet: string): Credit
  /** Posts a move and gives its journal id. Posting more than an account holds is a bug: check the purse first. */
  post(posting: Posting): string
  close(): Promise<void>
}

type Account = { wallet: string; class: CreditClass; balance: Cotton; version: bigint; touched: boolean }

type Entry = { wallet: string; journalId: string; line: number; account: string } & {
  amount: Cotton
  balanceAfter: Cotton | null
  version: bigint | null
}

// In one order everywhere, so that two moves over the same wallets wait for each other instead of deadlocking.
const lockAccounts = sql(
  'ledger-lock-accounts',
  'select a.wallet, a.class::text, a.balance, a.version from lock_accounts($1::text[]) a',
)

const writeBook = sql(
  'ledger-write-book',
  `with settled as (
     update accounts a set balance = s.balance, version = s.version
     from unnest($1::text[], $2::credit_class[], $3::bigint[], $4::bigint[]) as s (wallet, class, balance, version)
     where a.wallet = s.wallet and a.class = s.class
   ), written as (
     insert into journals (id, wallet, kind, at, detail)
     select * from unnest($5::uuid[], $6::text[], $7::move_kind[], $8::timestamptz[], $9::jsonb[])
   )
   insert into entries (wallet, journal_id, line, account, amount, balance_after, version)
   select * from unnest($10::text[], $11::uuid[], $12::smallint[], $13::ledger_account[], $14::bigint[], $15::bigint[], $16::bigint[])`,
)

/** Locks the accounts of these wallets (making those that do not exist yet) and opens the book on them. */
export async function openBook(tx: Tx, wallets: Iterable<string>): Promise<Book> {
  const accounts = await lockedAccounts(tx, [...new Set(wallets)].toSorted())
  const postings: (Posting & { id: string })[] = []
  const entries: Entry[] = []

  const accountOf = (wallet: string, account: string): Account => {
    const found = accounts.get(`${wallet} ${account}`)
    assert(found, `the book is not open on ${account} of ${wallet}`)
    return found
  }

  return {
    purse: (wallet) => ({
      deposited: accountOf(wallet, 'deposited').balance,
      earned: accountOf(wallet, 'earned').balance,
    }),

    post(posting) {
      const id = journalId(posting.at)
      assert(posting.lines.length > 1, 'a move has two sides')
      assert(
        posting.lines.reduce((sum, each) => sum + each.amount, 0n) === 0n,
        'the lines of a move sum to zero',
      )
      postings.push({ ...posting, id })
      for (const [line, { wallet, account, amount }] of posting.lines.entries()) {
        const entry = { wallet, journalId: id, line, account, amount }
        entries.push(
          isPlayers(account)
            ? { ...entry, ...moved(accountOf(wallet, account), amount) }
            : { ...entry, balanceAfter: null, version: null },
        )
      }
      return id
    },

    async close() {
      if (postings.length === 0) return
      const settled = [...accounts.values()].filter((account) => account.touched)
      void tx.rows(writeBook, [
        settled.map((each) => each.wallet),
        settled.map((each) => each.class),
        settled.map((each) => each.balance),
        settled.map((each) => each.version),
        postings.map((each) => each.id),
        postings.map((each) => each.wallet),
        postings.map((each) => each.kind),
        postings.map((each) => each.at),
        postings.map((each) => JSON.stringify(each.detail)),
        entries.map((each) => each.wallet),
        entries.map((each) => each.journalId),
        entries.map((each) => each.line),
        entries.map((each) => each.account),
        entries.map((each) => each.amount),
        entries.map((each) => each.balanceAfter),
        entries.map((each) => each.version),
      ])
      postings.length = 0
      entries.length = 0
      for (const account of settled) account.touched = false
    },
  }
}

function isPlayers(account: string): account is CreditClass {
  return (CLASSES as readonly string[]).includes(account)
}

function moved(account: Account, amount: Cotton): { balanceAfter: Cotton; version: bigint } {
  account.balance = baseUnits(account.balance + amount)
  account.version += 1n
  account.touched = true
  assert(account.balance >= ZERO, `${account.class} of ${account.wallet} would go below zero`)
  return { balanceAfter: account.balance, version: account.version }
}

async function lockedAccounts(tx: Tx, wallets: string[]): Promise<Map<string, Account>> {
  type Row = { wallet: string; class: CreditClass; balance: bigint; version: bigint }
  const rows = await tx.rows<Row>(lockAccounts, [wallets])
  return new Map(
    rows.map((row) => [
      `${row.wallet} ${row.class}`,
      { ...row, balance: baseUnits(row.balance), touched: false },
    ]),
  )
}
