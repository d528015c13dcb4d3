import { baseUnits, type Cotton, cotton, formatExact } from '#game/cotton.ts'
import { type Credit, type CreditClass, claimEntries, type Entry } from '#game/credit.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { requireFreePool } from './read-free-pool.ts'

/** The limit of one adjustment: a few workers, and never the whole treasury. */
const LARGEST_ADJUSTMENT = cotton(1_000_000)

const knowsWallet = sql({
  name: 'operator-knows-wallet',
  params: { wallet: 'text' },
  text: ({ wallet }) =>
    `select from users where wallet = ${wallet} union all select from accounts where wallet = ${wallet} limit 1`,
})

export type Adjustment = { wallet: string; class: CreditClass; amount: Cotton; reason: string; now: Date }

/** Adds credit to a player's balance, or removes it, and returns a summary. */
export async function adjustBalance(tx: Tx, adjustment: Adjustment): Promise<string> {
  const { wallet, class: name, amount, reason, now } = adjustment
  if (amount > LARGEST_ADJUSTMENT || -amount > LARGEST_ADJUSTMENT) {
    throw new StartupError(`One adjustment moves at most ${formatExact(LARGEST_ADJUSTMENT)} $COTTON.`)
  }
  if ((await tx.rows(knowsWallet, { wallet })).length === 0) {
    throw new StartupError(`No player has the wallet ${wallet}.`)
  }
  const ledger = await openLedger(tx, [wallet])
  const before = ledger.balances(wallet)[name]
  if (before + amount < 0n) {
    throw new StartupError(`${wallet} has only ${formatExact(before)} $COTTON of ${name} credit.`)
  }
  if (name === 'deposited' && amount > 0n) await requireFreePool(tx, adjustment)
  ledger.post({ wallet, kind: 'adjustment', at: now, detail: { reason }, entries: entriesOf(adjustment) })
  const after: Credit = ledger.balances(wallet)
  ledger.write()
  return `Adjusted: ${wallet} now has ${formatExact(after[name])} $COTTON of ${name} credit. Before: ${formatExact(before)}.`
}

// Deposited credit is backed by tokens, so it comes from the pool: no adjustment makes the game owe more tokens than it
// has. Earned credit is not backed until it is withdrawn.
function entriesOf({ wallet, class: name, amount }: Adjustment): Entry[] {
  if (name === 'earned') return claimEntries(wallet, amount)
  return [
    { wallet, account: 'pool', amount: baseUnits(-amount) },
    { wallet, account: 'deposited', amount },
  ]
}
