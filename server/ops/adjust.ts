import { baseUnits, type Cotton, cotton, formatExact } from '#game/cotton.ts'
import { CLASSES, type Credit, type CreditClass, claimEntries, type Entry } from '#game/credit.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { parseSignedAmount } from './parse-signed-amount.ts'
import type { Command } from './command.ts'
import { readFreePool } from './read-free-pool.ts'
import { runLogged } from './operator-log.ts'
import { required } from './read-arguments.ts'

/** The limit of one adjustment: a few workers, and never the whole treasury. */
const LARGEST_ADJUSTMENT = cotton(1_000_000)

const knowsWallet = sql({
  name: 'operator-knows-wallet',
  params: { wallet: 'text' },
  text: ({ wallet }) =>
    `select from users where wallet = ${wallet} union all select from accounts where wallet = ${wallet} limit 1`,
})

type Adjustment = { wallet: string; class: CreditClass; amount: Cotton; reason: string; now: Date }

export const adjust: Command = {
  usage: '<wallet> <amount> --class deposited|earned --by <name> --reason <text for the player>',
  description:
    'adds credit to a wallet, or removes it (-5). Deposited credit comes from the pool; earned credit is created, as by a claim',
  positionals: 2,
  options: ['class', 'by', 'reason'],
  run(context, given) {
    const [wallet, amount] = given.positionals as [string, string]
    const className = required(given, 'class')
    const reason = required(given, 'reason')
    return runLogged(
      context,
      { command: 'adjust', arguments: { wallet, amount, class: className }, given },
      (tx, { now }) =>
        adjustOne(tx, { wallet, class: classOf(className), amount: amountOf(amount), reason, now }),
    )
  },
}

function classOf(text: string): CreditClass {
  const found = CLASSES.find((name) => name === text)
  if (!found) throw new StartupError(`--class must be ${CLASSES.join(' or ')}, not "${text}".`)
  return found
}

function amountOf(text: string): Cotton {
  const amount = parseSignedAmount(text)
  if (!amount)
    throw new StartupError(`"${text}" is not a valid amount: use at most six decimals, for example -12.5.`)
  if (amount > LARGEST_ADJUSTMENT || -amount > LARGEST_ADJUSTMENT) {
    throw new StartupError(`One adjustment moves at most ${formatExact(LARGEST_ADJUSTMENT)} $COTTON.`)
  }
  return amount
}

async function adjustOne(tx: Tx, adjustment: Adjustment): Promise<string> {
  const { wallet, class: name, amount, reason, now } = adjustment
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
  await ledger.write()
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

async function requireFreePool(tx: Tx, { amount, now }: Adjustment): Promise<void> {
  const free = await readFreePool(tx, now)
  if (amount > free)
    throw new StartupError(
      `The pool has only ${formatExact(free)} $COTTON available, not ${formatExact(amount)}.`,
    )
}
