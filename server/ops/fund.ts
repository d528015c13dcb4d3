import { baseUnits, type Cotton, formatExact } from '#game/cotton.ts'
import { fundingEntries } from '#game/credit.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { readWorldBalances } from '#server/ledger/read-world-balances.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { takeSnapshot } from '#server/solvency/take-snapshot.ts'
import { parseSignedAmount } from './parse-signed-amount.ts'
import { type Command, type CommandContext, requireChain } from './command.ts'
import { runLogged } from './operator-log.ts'
import { required } from './read-arguments.ts'

export const fund: Command = {
  usage: '<amount> --by <name> --reason <text>',
  description: 'adds tokens in the treasury that are not owed to anybody to the reward pool',
  positionals: 1,
  options: ['by', 'reason'],
  run(context, given) {
    const [text] = given.positionals as [string]
    const reason = required(given, 'reason')
    return runLogged(context, { command: 'fund', arguments: { amount: text }, given }, (tx, { now }) =>
      fundPool(tx, { context, amount: amountOf(text), reason, now }),
    )
  },
}

function amountOf(text: string): Cotton {
  const amount = parseSignedAmount(text)
  if (!amount || amount < 0n) {
    throw new StartupError(
      `"${text}" is not a valid amount: use a positive one of at most six decimals, for example 1250.5.`,
    )
  }
  return amount
}

type Funding = { context: CommandContext; amount: Cotton; reason: string; now: Date }

// The snapshot is taken under the operators' lock, so that two operators cannot add the same tokens.
async function fundPool(tx: Tx, { context, amount, reason, now }: Funding): Promise<string> {
  const { chain, boundChain, cold } = await requireChain(context)
  const { free, slot } = await takeSnapshot({ db: tx, chain }, { ...boundChain, cold, notBefore: 0n, now })
  if (amount > free) {
    const available = formatExact(free > 0n ? free : 0n)
    throw new StartupError(
      `The treasury has ${available} $COTTON that are not owed to anybody, not ${formatExact(amount)}. Send the tokens to ${boundChain.treasury} first.`,
    )
  }
  const ledger = await openLedger(tx, [])
  const entries = fundingEntries(amount)
  // With the slot, a reserve snapshot of an older slot does not report these tokens as missing.
  const detail = { reason, slot: Number(slot) }
  ledger.post({ wallet: 'operator', kind: 'funding', at: now, detail, entries })
  await ledger.write()
  const { pool } = await readWorldBalances(tx)
  return `Funded: the pool now has ${formatExact(pool)} $COTTON. Before: ${formatExact(baseUnits(pool - amount))}.`
}
