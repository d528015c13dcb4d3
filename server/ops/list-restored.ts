import { formatExact } from '#game/cotton.ts'
import type { Address } from '#server/chain/port.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { creditMissedDeposits } from './credit-missed-deposits.ts'
import { type Arguments, type Command, type CommandContext, requireChain } from './command.ts'
import {
  findUnowedPayouts,
  isDone,
  type PayoutsOnChain,
  type UnowedPayout,
  waitsForSigner,
} from './find-unowed-payouts.ts'
import { runLogged, operatorOf } from './operator-log.ts'
import { required } from './read-arguments.ts'
import { debtOf, isSettled } from './restored-payouts.ts'
import { takeBack } from './take-back.ts'

/** How many payouts are taken back in one transaction. */
const AT_ONCE = 100

export const listRestored: Command = {
  usage: '[--take-back --by <name> --reason <text for the players>]',
  description:
    'lists the payouts on the chain that the books do not owe, for example after a restored backup, each with its wallet and amount. With --take-back it deducts each from the balance of its wallet and reports the rest as a debt. Exits with 1 while any is open',
  positionals: 0,
  options: ['by', 'reason'],
  flags: ['take-back'],
  async run(context, given) {
    const { chain, boundChain } = await requireChain(context)
    const treasury = boundChain.treasury as Address
    if (given.flags.has('take-back')) {
      operatorOf(given)
      required(given, 'reason')
      // Deposits since the backup are credited first, so that they cover the payouts.
      context.say(await creditMissedDeposits(context, chain))
      await takeAllBack(context, given, await findUnowedPayouts(context, { chain, treasury }))
    }
    printAll(context, await findUnowedPayouts(context, { chain, treasury }))
  },
}

async function takeAllBack(
  context: CommandContext,
  given: Arguments,
  { unowed }: PayoutsOnChain,
): Promise<void> {
  const open = unowed.filter((each) => each.restored === null && !waitsForSigner(each))
  for (let from = 0; from < open.length; from += AT_ONCE) {
    const some = open.slice(from, from + AT_ONCE)
    await runLogged(
      context,
      { command: 'restored', arguments: { 'take-back': String(some.length) }, given },
      (tx, { who, now, reason }) => takeBack(tx, some, { who, now, reason: reason! }),
    )
  }
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

/** Describes a payout that the books do not owe in one line: `<transaction>  5 $COTTON to <wallet>: OPEN`. */
export function describePayout(payout: UnowedPayout): string {
  const { signature, withdrawalId, wallet, amount, state } = payout
  const standing = state === null ? 'not in the books' : `${state} in the books`
  return `${signature}  ${formatExact(amount)} $COTTON to ${wallet ?? 'no single wallet'}, withdrawal ${withdrawalId} (${standing}): ${progress(payout)}`
}

function progress(payout: UnowedPayout): string {
  const { restored } = payout
  if (restored === null) return waitsForSigner(payout) ? 'WAITS for the signer' : 'OPEN'
  const debt = debtOf(restored)
  const done = [
    restored.deposited + restored.earned > 0n &&
      `taken back ${formatExact(restored.deposited)} deposited and ${formatExact(restored.earned)} earned`,
    restored.borne > 0n && `${formatExact(restored.borne)} paid from the pool`,
    debt > 0n && `${isSettled(restored) ? 'debt' : 'DEBT'} of ${formatExact(debt)}`,
    restored.acknowledgedBy !== null && `acknowledged by ${restored.acknowledgedBy}: ${restored.reason}`,
  ]
  return done.filter((part) => part !== false).join('; ')
}

/** The open payout or debt of this transaction. Throws a `StartupError` if there is none. */
export function findOpen(unowed: readonly UnowedPayout[], signature: string): UnowedPayout {
  const found = unowed.find((each) => each.signature === signature)
  if (!found) throw new StartupError(`The chain shows no payout ${signature} that the books do not owe.`)
  if (isDone(found)) throw new StartupError(`It is already handled: ${describePayout(found)}.`)
  if (waitsForSigner(found)) throw new StartupError(`The signer will settle it: ${describePayout(found)}.`)
  return found
}
