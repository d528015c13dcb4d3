import { baseUnits, type Cotton, ZERO } from '#game/cotton.ts'
import { CLASSES, type Credit, type CreditClass, type Entry, type JournalKind } from '#game/credit.ts'
import { assert } from '#server/platform/assert.ts'
import { rowOf, rowset, sql, type Tx } from '#server/platform/db/db.ts'
import { createJournalId } from './journal-id.ts'

/** One movement of money: whose request it was, its kind, and its entries, which sum to zero. */
export type Journal = {
  wallet: string
  kind: JournalKind
  at: Date
  /** Facts for the player's history: ids, counts, signatures. */
  detail: Readonly<Record<string, string | number>>
  entries: readonly Entry[]
}

/**
 * The ledger accounts of some wallets, locked until the transaction ends. Journals are posted in memory, each on the
 * balances that the previous one left. `write` sends them all in one statement.
 */
export type Ledger = {
  /** The wallet's balances, including everything posted so far. */
  balances(wallet: string): Credit
  /** Whether the wallet is frozen. A freeze waits for these locks, so it stays true or false until the end. */
  isFrozen(wallet: string): boolean
  /** Posts a journal and returns its id. Check the balances first: an overdraft is a bug and throws. */
  post(journal: Journal): string
  /** Sends everything posted so far. Errors surface at commit. */
  write(): void
}

type Account = AccountRow & { balance: Cotton; touched: boolean }

type StoredEntry = {
  wallet: string
  journal_id: string
  line: number
  account: Entry['account']
  amount: Cotton
  balance_after: Cotton | null
  version: bigint | null
}

type AccountRow = { wallet: string; class: CreditClass; balance: bigint; version: bigint; frozen: boolean }

// The function locks in one order, so that two transactions over the same wallets cannot deadlock.
const lockAccounts = sql({
  name: 'ledger-lock-accounts',
  params: { wallets: 'text[]' },
  row: rowOf<AccountRow>(),
  text: ({ wallets }) =>
    `select a.wallet, a.class::text, a.balance, a.version, a.frozen from lock_accounts(${wallets}) a`,
})

const writeJournals = sql({
  name: 'ledger-write-journals',
  params: {
    settled: rowset({ wallet: 'text', class: 'credit_class', balance: 'bigint', version: 'bigint' }),
    posted: rowset({ id: 'uuid', wallet: 'text', kind: 'move_kind', at: 'timestamptz', detail: 'jsonb' }),
    lines: rowset({
      wallet: 'text',
      journal_id: 'uuid',
      line: 'smallint',
      account: 'ledger_account',
      amount: 'bigint',
      balance_after: 'bigint | null',
      version: 'bigint | null',
    }),
  },
  text: ({ settled, posted, lines }) =>
    `with updated as (
       update accounts a set balance = settled.balance, version = settled.version from ${settled}
       where a.wallet = settled.wallet and a.class = settled.class
     ), inserted as (
       insert into journals (id, wallet, kind, at, detail) select * from ${posted}
     )
     insert into entries (wallet, journal_id, line, account, amount, balance_after, version) select * from ${lines}`,
})

/** Locks the ledger accounts of these wallets, and creates those that do not exist yet. */
export async function openLedger(tx: Tx, wallets: Iterable<string>): Promise<Ledger> {
  const accounts = await lockAndReadAccounts(tx, [...new Set(wallets)].toSorted())
  const journals: (Journal & { id: string })[] = []
  const storedEntries: StoredEntry[] = []

  const accountOf = (wallet: string, account: string): Account => {
    const found = accounts.get(`${wallet} ${account}`)
    assert(found, `the ledger account ${account} of ${wallet} is locked`)
    return found
  }

  return {
    balances: (wallet) => ({
      deposited: accountOf(wallet, 'deposited').balance,
      earned: accountOf(wallet, 'earned').balance,
    }),

    isFrozen: (wallet) => accountOf(wallet, 'deposited').frozen,

    post(journal) {
      const id = createJournalId(journal.at)
      assert(journal.entries.length > 1, 'a journal has at least two entries')
      assert(
        journal.entries.reduce((sum, each) => sum + each.amount, 0n) === 0n,
        'the entries of a journal sum to zero',
      )
      journals.push({ ...journal, id })
      for (const [line, { wallet, account, amount }] of journal.entries.entries()) {
        const entry = { wallet, journal_id: id, line, account, amount }
        storedEntries.push(
          isPlayerAccount(account)
            ? { ...entry, ...applyToAccount(accountOf(wallet, account), amount) }
            : { ...entry, balance_after: null, version: null },
        )
      }
      return id
    },

    write() {
      if (journals.length === 0) return
      const settled = [...accounts.values()].filter((account) => account.touched)
      tx.send(writeJournals, { settled, posted: journals, lines: storedEntries })
      journals.length = 0
      storedEntries.length = 0
      for (const account of settled) account.touched = false
    },
  }
}

function isPlayerAccount(account: string): account is CreditClass {
  return (CLASSES as readonly string[]).includes(account)
}

function applyToAccount(account: Account, amount: Cotton): { balance_after: Cotton; version: bigint } {
  account.balance = baseUnits(account.balance + amount)
  account.version += 1n
  account.touched = true
  assert(account.balance >= ZERO, `the balance ${account.class} of ${account.wallet} is not negative`)
  return { balance_after: account.balance, version: account.version }
}

async function lockAndReadAccounts(tx: Tx, wallets: string[]): Promise<Map<string, Account>> {
  const rows = await tx.rows(lockAccounts, { wallets })
  return new Map(
    rows.map((row) => [
      `${row.wallet} ${row.class}`,
      { ...row, balance: baseUnits(row.balance), touched: false },
    ]),
  )
}
