import { baseUnits, type Cotton, cotton } from '#game/cotton.ts'
import { CLASSES, type Credit, type CreditClass, claimEntries, type Entry } from '#game/credit.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { formatCotton, parseSignedAmount } from './amounts.ts'
import type { Command } from './command.ts'
import { readFreePool } from './read-free-pool.ts'
import { runLogged } from './operator-log.ts'
import { required } from './read-arguments.ts'

/** The most that one adjustment may give or take: a few pickers, and not the treasury. */
const LARGEST_ADJUSTMENT = cotton(1_000_000)

const knowsWallet = sql(
  'operator-knows-wallet',
  'select from users where wallet = $1 union all select from accounts where wallet = $1 limit 1',
)

type Adjustment = { wallet: string; class: CreditClass; amount: Cotton; reason: string; now: Date }

export const adjust: Command = {
  usage: '<wallet> <amount> --class deposited|earned --by <name> --reason <text for the player>',
  description:
    'adds credit to a wallet, or removes it (-5). Deposited credit comes from the pool; earned credit is created, as by a claim',
  positionals: 2,
  options: ['class', 'by', 'reason'],
  run(context, given) {
    const [wallet, amount] = given.positionals as [string, string]
    const asked = required(given, 'class')
    const reason = required(given, 'reason')
    return runLogged(
      context,
      { command: 'adjust', arguments: { wallet, amount, class: asked }, given },
      (tx, { now }) =>
        adjustOne(tx, { wallet, class: classOf(asked), amount: amountOf(amount), reason, now }),
    )
  },
}

function classOf(text: string): CreditClass {
  const found = CLASSES.find((name) => name === text)
  if (!found) throw new StartupError(`--class is ${CLASSES.join(' or ')}, not "${text}".`)
  return found
}

function amountOf(text: string): Cotton {
  const amount = parseSignedAmount(text)
  if (!amount) throw new StartupError(`"${text}" is no amount: give one of at most six decimals, like -12.5.`)
  if (amount > LARGEST_ADJUSTMENT || -amount > LARGEST_ADJUSTMENT) {
    throw new StartupError(`One adjustment moves at most ${formatCotton(LARGEST_ADJUSTMENT)} $COTTON.`)
  }
  return amount
}

async function adjustOne(tx: Tx, adjustment: Adjustment): Promise<string> {
  const { wallet, class: name, amount, reason, now } = adjustment
  if ((await tx.rows(knowsWallet, [wallet])).length === 0) {
    throw new StartupError(`Nobody has ever played with the wallet ${wallet}.`)
  }
  const ledger = await openLedger(tx, [wallet])
  const before = ledger.balances(wallet)[name]
  if (before + amount < 0n) {
    throw new StartupError(`${wallet} holds ${formatCotton(before)} ${name} only.`)
  }
  if (name === 'deposited' && amount > 0n) await requireFreePool(tx, adjustment)
  ledger.post({ wallet, kind: 'adjustment', at: now, detail: { reason }, entries: entriesOf(adjustment) })
  const after: Credit = ledger.balances(wallet)
  await ledger.write()
  return `Adjusted: ${name} of ${wallet} is ${formatCotton(after[name])} $COTTON now, and was ${formatCotton(before)}.`
}

// Deposited credit stands against tokens, so it comes out of the pool: no adjustment ever makes the game owe more
// tokens than it has. Earned credit stands against none until it is withdrawn.
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
      `The pool has ${formatCotton(free)} $COTTON to give away, not ${formatCotton(amount)}.`,
    )
}
