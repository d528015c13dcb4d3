import { baseUnits, type Cotton, cotton } from '#game/cotton.ts'
import { CLASSES, type Credit, type CreditClass, claimLines, type Line } from '#game/credit.ts'
import { openBook } from '#server/ledger/book.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'
import { StartProblem } from '#server/platform/start-problem.ts'
import { exactly, readSigned } from './amounts.ts'
import type { Command } from './desk.ts'
import { readFreePool } from './free-pool.ts'
import { actLogged } from './operator-log.ts'
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
  does: 'adds credit to a wallet, or removes it (-5). Deposited credit comes from the pool; earned credit is created, as by a claim',
  words: 2,
  options: ['class', 'by', 'reason'],
  run(desk, given) {
    const [wallet, amount] = given.words as [string, string]
    const asked = required(given, 'class')
    const reason = required(given, 'reason')
    return actLogged(
      desk,
      { command: 'adjust', arguments: { wallet, amount, class: asked }, given },
      (tx, { now }) =>
        adjustOne(tx, { wallet, class: classOf(asked), amount: amountOf(amount), reason, now }),
    )
  },
}

function classOf(text: string): CreditClass {
  const found = CLASSES.find((name) => name === text)
  if (!found) throw new StartProblem(`--class is ${CLASSES.join(' or ')}, not "${text}".`)
  return found
}

function amountOf(text: string): Cotton {
  const amount = readSigned(text)
  if (!amount) throw new StartProblem(`"${text}" is no amount: give one of at most six decimals, like -12.5.`)
  if (amount > LARGEST_ADJUSTMENT || -amount > LARGEST_ADJUSTMENT) {
    throw new StartProblem(`One adjustment moves at most ${exactly(LARGEST_ADJUSTMENT)} $COTTON.`)
  }
  return amount
}

async function adjustOne(tx: Tx, adjustment: Adjustment): Promise<string> {
  const { wallet, class: name, amount, reason, now } = adjustment
  if ((await tx.rows(knowsWallet, [wallet])).length === 0) {
    throw new StartProblem(`Nobody has ever played with the wallet ${wallet}.`)
  }
  const book = await openBook(tx, [wallet])
  const before = book.purse(wallet)[name]
  if (before + amount < 0n) {
    throw new StartProblem(`${wallet} holds ${exactly(before)} ${name} only.`)
  }
  if (name === 'deposited' && amount > 0n) await requireFreePool(tx, adjustment)
  book.post({ wallet, kind: 'adjustment', at: now, detail: { reason }, lines: linesOf(adjustment) })
  const after: Credit = book.purse(wallet)
  await book.close()
  return `Adjusted: ${name} of ${wallet} is ${exactly(after[name])} $COTTON now, and was ${exactly(before)}.`
}

// Deposited credit stands against tokens, so it comes out of the pool: no adjustment ever makes the game owe more
// tokens than it has. Earned credit stands against none until it is withdrawn.
function linesOf({ wallet, class: name, amount }: Adjustment): Line[] {
  if (name === 'earned') return claimLines(wallet, amount)
  return [
    { wallet, account: 'pool', amount: baseUnits(-amount) },
    { wallet, account: 'deposited', amount },
  ]
}

async function requireFreePool(tx: Tx, { amount, now }: Adjustment): Promise<void> {
  const free = await readFreePool(tx, now)
  if (amount > free)
    throw new StartProblem(`The pool has ${exactly(free)} $COTTON to give away, not ${exactly(amount)}.`)
}
