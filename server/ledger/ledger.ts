import { baseUnits, type Cotton, ZERO } from '#game/cotton.ts'
import { CLASSES, type Credit, type CreditClass, type Entry } from '#game/credit.ts'
import { assert } from '#server/platform/assert.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'
import { createJournalId } from './journal-id.ts'

export type JournalKind =
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
export type Journal = {
  wallet: string
  kind: JournalKind
  at: Date
  /** What the player's history says of it: ids, counts, signatures. */
  detail: Readonly<Record<string, string | number>>
  entries: readonly Entry[]
}

/**
 * The accounts of some wallets, locked until the transaction ends. Moves are posted in memory, each seeing the
 * balances that the one before it left, and `close` writes them all in one statement, without waiting for its answer.
 */
export type Ledger = {
  /** What the wallet holds now, with everything posted so far. */
  balances(wallet: string): Credit
  /** Posts a move and gives its journal id. Posting more than an account holds is a bug: check the purse first. */
  post(journal: Journal): string
  write(): Promise<void>
}

type Account = { wallet: string; class: CreditClass; balance: Cotton; version: bigint; touched: boolean }

type StoredEntry = { wallet: string; journalId: string; line: number; account: string } & {
  amount: Cotton
  balanceAfter: Cotton | null
  version: bigint | null
}

// In one order everywhere, so that two moves over the same wallets wait for each other instead of deadlocking.
const lockAccounts = sql(
  'ledger-lock-accounts',
  'select a.wallet, a.class::text, a.balance, a.version from lock_accounts($1::text[]) a',
)

const writeJournals = sql(
  'ledger-write-journals',
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
export async function openLedger(tx: Tx, wallets: Iterable<string>): Promise<Ledger> {
  const accounts = await lockAndReadAccounts(tx, [...new Set(wallets)].toSorted())
  const journals: (Journal & { id: string })[] = []
  const storedEntries: StoredEntry[] = []

  const accountOf = (wallet: string, account: string): Account => {
    const found = accounts.get(`${wallet} ${account}`)
    assert(found, `the book is not open on ${account} of ${wallet}`)
    return found
  }

  return {
    balances: (wallet) => ({
      deposited: accountOf(wallet, 'deposited').balance,
      earned: accountOf(wallet, 'earned').balance,
    }),

    post(journal) {
      const id = createJournalId(journal.at)
      assert(journal.entries.length > 1, 'a move has two sides')
      assert(
        journal.entries.reduce((sum, each) => sum + each.amount, 0n) === 0n,
        'the lines of a move sum to zero',
      )
      journals.push({ ...journal, id })
      for (const [line, { wallet, account, amount }] of journal.entries.entries()) {
        const entry = { wallet, journalId: id, line, account, amount }
        storedEntries.push(
          isPlayerAccount(account)
            ? { ...entry, ...applyToAccount(accountOf(wallet, account), amount) }
            : { ...entry, balanceAfter: null, version: null },
        )
      }
      return id
    },

    async write() {
      if (journals.length === 0) return
      const changedAccounts = [...accounts.values()].filter((account) => account.touched)
      void tx.rows(writeJournals, [
        changedAccounts.map((each) => each.wallet),
        changedAccounts.map((each) => each.class),
        changedAccounts.map((each) => each.balance),
        changedAccounts.map((each) => each.version),
        journals.map((each) => each.id),
        journals.map((each) => each.wallet),
        journals.map((each) => each.kind),
        journals.map((each) => each.at),
        journals.map((each) => JSON.stringify(each.detail)),
        storedEntries.map((each) => each.wallet),
        storedEntries.map((each) => each.journalId),
        storedEntries.map((each) => each.line),
        storedEntries.map((each) => each.account),
        storedEntries.map((each) => each.amount),
        storedEntries.map((each) => each.balanceAfter),
        storedEntries.map((each) => each.version),
      ])
      journals.length = 0
      storedEntries.length = 0
      for (const account of changedAccounts) account.touched = false
    },
  }
}

function isPlayerAccount(account: string): account is CreditClass {
  return (CLASSES as readonly string[]).includes(account)
}

function applyToAccount(account: Account, amount: Cotton): { balanceAfter: Cotton; version: bigint } {
  account.balance = baseUnits(account.balance + amount)
  account.version += 1n
  account.touched = true
  assert(account.balance >= ZERO, `${account.class} of ${account.wallet} would go below zero`)
  return { balanceAfter: account.balance, version: account.version }
}

async function lockAndReadAccounts(tx: Tx, wallets: string[]): Promise<Map<string, Account>> {
  type Row = { wallet: string; class: CreditClass; balance: bigint; version: bigint }
  const rows = await tx.rows<Row>(lockAccounts, [wallets])
  return new Map(
    rows.map((row) => [
      `${row.wallet} ${row.class}`,
      { ...row, balance: baseUnits(row.balance), touched: false },
    ]),
  )
}
