import { toDecimal } from '#game/cotton.ts'
import type { Address } from '#server/chain/port.ts'
import {
  describePayout,
  findUnowedPayouts,
  isDone,
  openPayouts,
  type PayoutsOnChain,
} from '#server/signer/acts/find-unowed-payouts.ts'
import { writeOperatorLog } from '#server/operators/operator-log.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { type Arguments, type Command, type CommandContext, requireChain } from './command.ts'
import { creditMissedDeposits } from './credit-missed-deposits.ts'
import { required } from './read-arguments.ts'
import { runAct, SIGNING_OPTIONS, SIGNING_USAGE } from './sign-act.ts'

export const listRestored: Command = {
  usage: `[--take-back --reason <text for the players> ${SIGNING_USAGE}]`,
  description:
    'lists the payouts on the chain that the books do not owe, for example after a restored backup, each with its wallet and amount. With --take-back it deducts each from the balance of its wallet and reports the rest as a debt. Exits with 1 while any is open',
  positionals: 0,
  options: ['reason', ...SIGNING_OPTIONS],
  flags: ['take-back'],
  async run(context, given) {
    const takesBack = given.flags.has('take-back')
    if (!takesBack && Object.keys(given.options).length > 0)
      throw new StartupError('Without --take-back the command only lists payouts, and takes no options.')
    const { chain, boundChain } = await requireChain(context)
    const treasury = boundChain.treasury as Address
    const { say, warn = say } = context
    // With --operator the output is the message to sign, which goes into a file.
    const around = given.options.operator === undefined ? context : { ...context, say: warn }
    if (takesBack) {
      const reason = required(given, 'reason')
      // Deposits since the backup are credited first, so that they cover the payouts.
      const { summary, unread } = await creditMissedDeposits(context, chain)
      for (const sentence of unread.values()) around.say(`DIFFERS  ${sentence}`)
      if (unread.size > 0) process.exitCode = 1
      around.say(summary)
      // The signature comes later, if at all, so the log names the user of the machine.
      const who = process.env.USER || 'unknown'
      const now = context.clock.now()
      await writeOperatorLog(context.db, { who, now, command: 'restored', outcome: summary })
      const payouts = await findUnowedPayouts(context, { chain, treasury })
      requireDeposits(payouts, unread)
      await takeAllBack(context, { given, reason }, payouts)
    }
    printAll(around, await findUnowedPayouts(context, { chain, treasury }))
  },
}

/** Each payout is taken back once: what a deposit would cover that is credited later remains a debt. */
function requireDeposits(payouts: PayoutsOnChain, unread: ReadonlyMap<string, string>): void {
  const paid = openPayouts(payouts).find(({ wallet }) => wallet !== null && unread.has(wallet))
  if (paid)
    throw new StartupError(
      `Nothing was taken back: the deposits of ${paid.wallet} could not be read, and they may cover its payout. Repeat the command, or name another node in SOLANA_RPC_URL.`,
    )
}

async function takeAllBack(
  context: CommandContext,
  { given, reason }: { given: Arguments; reason: string },
  payouts: PayoutsOnChain,
): Promise<void> {
  const open = openPayouts(payouts)
  if (open.length === 0) return
  const amount = toDecimal(open.reduce((sum, each) => sum + each.amount, 0n))
  await runAct(context, given, { kind: 'take-back', payouts: String(open.length), amount, reason })
}

function printAll({ say }: CommandContext, { unowed, unsure }: PayoutsOnChain): void {
  for (const each of unowed) say(describePayout(each))
  for (const signature of unsure) say(`${signature}  the nodes do not agree about it: try again later`)
  const left = unowed.filter((each) => !isDone(each)).length + unsure.length
  if (left > 0) process.exitCode = 1
  say(
    unowed.length + unsure.length === 0
      ? 'All payouts on the chain are in the books.'
      : `${unowed.length + unsure.length} payouts on the chain are not owed by the books; ${left} of them are still open.`,
  )
}
