import type { Address } from '#server/chain/port.ts'
import { StartProblem } from '#server/platform/start-problem.ts'
import { exactly } from './amounts.ts'
import { creditMissed } from './credit-missed.ts'
import { type Command, type Desk, ownChain } from './desk.ts'
import { findUnowed, isDone, type PayoutsOnChain, type Unowed, waitsForSigner } from './find-unowed.ts'
import { actLogged, operatorOf } from './operator-log.ts'
import { type Arguments, required } from './read-arguments.ts'
import { debtOf, isSettled } from './restored-payouts.ts'
import { takeBack } from './take-back.ts'

/** So many are booked in one transaction. */
const AT_ONCE = 100

export const listRestored: Command = {
  usage: '[--take-back --by <name> --reason <text for the players>]',
  does: 'lists the payouts on the chain that the books do not owe, for example after a restored backup, each with its wallet and amount. With --take-back it deducts each from the balance of its wallet and reports the rest as a debt. Exits with 1 while any is open',
  words: 0,
  options: ['by', 'reason'],
  flags: ['take-back'],
  async run(desk, given) {
    const { chain, own } = await ownChain(desk)
    const treasury = own.treasury as Address
    if (given.flags.has('take-back')) {
      operatorOf(given)
      required(given, 'reason')
      // What was paid in since the backup covers what was paid out.
      desk.say(await creditMissed(desk, chain))
      await takeAllBack(desk, given, await findUnowed(desk, { chain, treasury }))
    }
    sayAll(desk, await findUnowed(desk, { chain, treasury }))
  },
}

async function takeAllBack(desk: Desk, given: Arguments, { unowed }: PayoutsOnChain): Promise<void> {
  const open = unowed.filter((each) => each.restored === null && !waitsForSigner(each))
  for (let from = 0; from < open.length; from += AT_ONCE) {
    const some = open.slice(from, from + AT_ONCE)
    const named = { 'take-back': String(some.length) }
    await actLogged(desk, { command: 'restored', arguments: named, given }, (tx, { who, now, reason }) =>
      takeBack(tx, some, { who, now, reason: reason! }),
    )
  }
}

function sayAll({ say }: Desk, { unowed, unsure }: PayoutsOnChain): void {
  for (const each of unowed) say(inWords(each))
  for (const signature of unsure) say(`${signature}  the nodes do not agree on it: ask again later`)
  const left = unowed.filter((each) => !isDone(each)).length + unsure.length
  if (left > 0) process.exitCode = 1
  say(
    unowed.length + unsure.length === 0
      ? 'The books owe every payout on the chain.'
      : `${unowed.length + unsure.length} payouts on the chain are not owed by the books; ${left} of them are left to do.`,
  )
}

/** One payout that the books do not owe, in a line: `<transaction>  5 $COTTON to <wallet>: OPEN`. */
export function inWords(payout: Unowed): string {
  const { signature, withdrawalId, wallet, amount, state } = payout
  const stands = state === null ? 'not in the books' : `${state} in the books`
  return `${signature}  ${exactly(amount)} $COTTON to ${wallet ?? 'no single wallet'}, withdrawal ${withdrawalId} (${stands}): ${progress(payout)}`
}

function progress(payout: Unowed): string {
  const { restored } = payout
  if (restored === null) return waitsForSigner(payout) ? 'WAITS for the signer' : 'OPEN'
  const debt = debtOf(restored)
  const done = [
    restored.deposited + restored.earned > 0n &&
      `taken back ${exactly(restored.deposited)} deposited and ${exactly(restored.earned)} earned`,
    restored.borne > 0n && `the pool bears ${exactly(restored.borne)}`,
    debt > 0n && `${isSettled(restored) ? 'debt' : 'DEBT'} of ${exactly(debt)}`,
    restored.acknowledgedBy !== null && `acknowledged by ${restored.acknowledgedBy}: ${restored.reason}`,
  ]
  return done.filter((part) => part !== false).join('; ')
}

/** The open payout or debt of this transaction. Refuses where there is none. */
export function findOpen(unowed: readonly Unowed[], signature: string): Unowed {
  const found = unowed.find((each) => each.signature === signature)
  if (!found) throw new StartProblem(`The chain shows no payout ${signature} that the books do not owe.`)
  if (isDone(found)) throw new StartProblem(`Nothing is left to do: ${inWords(found)}.`)
  if (waitsForSigner(found)) throw new StartProblem(`The signer settles it when it runs: ${inWords(found)}.`)
  return found
}
