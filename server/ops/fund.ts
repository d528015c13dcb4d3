import { baseUnits, type Cotton } from '#game/cotton.ts'
import { fundingLines } from '#game/credit.ts'
import { openBook } from '#server/ledger/book.ts'
import { readReserves } from '#server/ledger/read-reserves.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { StartProblem } from '#server/platform/start-problem.ts'
import { lookAtReserve } from '#server/solvency/look-at-reserve.ts'
import { exactly, readSigned } from './amounts.ts'
import { type Command, type Desk, ownChain } from './desk.ts'
import { actLogged } from './operator-log.ts'
import { required } from './read-arguments.ts'

export const fund: Command = {
  usage: '<amount> --by <name> --reason <text>',
  does: 'adds tokens in the treasury that nobody is owed to the reward pool',
  words: 1,
  options: ['by', 'reason'],
  run(desk, given) {
    const [text] = given.words as [string]
    const reason = required(given, 'reason')
    return actLogged(desk, { command: 'fund', arguments: { amount: text }, given }, (tx, { now }) =>
      fundPool(tx, { desk, amount: amountOf(text), reason, now }),
    )
  },
}

function amountOf(text: string): Cotton {
  const amount = readSigned(text)
  if (!amount || amount < 0n) {
    throw new StartProblem(`"${text}" is no amount: give one above 0 of at most six decimals, like 1250.5.`)
  }
  return amount
}

type Funding = { desk: Desk; amount: Cotton; reason: string; now: Date }

// The look is taken under the operators' lock, so that two of them never bring the same tokens in.
async function fundPool(tx: Tx, { desk, amount, reason, now }: Funding): Promise<string> {
  const { chain, own, cold } = await ownChain(desk)
  const { free, slot } = await lookAtReserve({ db: tx, chain }, { ...own, cold, notBefore: 0n, now })
  if (amount > free) {
    const there = exactly(free > 0n ? free : 0n)
    throw new StartProblem(
      `The treasury holds ${there} $COTTON that nobody is owed, not ${exactly(amount)}: send the tokens to ${own.treasury} first.`,
    )
  }
  const book = await openBook(tx, [])
  const lines = fundingLines(amount)
  // Whoever looks at an older slot does not miss these tokens there.
  const detail = { reason, slot: Number(slot) }
  book.post({ wallet: 'operator', kind: 'funding', at: now, detail, lines })
  await book.close()
  const { pool } = await readReserves(tx)
  return `Funded: the pool has ${exactly(pool)} $COTTON now, and had ${exactly(baseUnits(pool - amount))}.`
}
