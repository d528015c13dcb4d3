import { formatExact } from '#game/cotton.ts'
import { readOutcomes } from '#server/chain/quorum.ts'
import type { Address, Chain, Signature } from '#server/chain/port.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { type RecordedSweeps, recordAllMissedSweeps } from '#server/signer/sweeps/record-missed-sweeps.ts'
import { creditMissedDeposits } from './credit-missed-deposits.ts'
import { type Command, type CommandContext, requireChain } from './command.ts'
import {
  findUnowedPayouts,
  isDone,
  type PayoutsOnChain,
  SIGNATURES,
  type UnowedPayout,
} from '#server/signer/acts/find-unowed-payouts.ts'
import { runLogged, operatorOf } from './operator-log.ts'
import { debtOf } from '#server/signer/acts/restored-payouts.ts'

type Paid = { id: string; amount: bigint; signatures: Signature[] }

const readPaid = sql({
  name: 'reconcile-read-paid',
  row: rowOf<Paid>(),
  text: `select w.id::text, (w.deposited + w.earned)::bigint as amount, ${SIGNATURES} as signatures
    from withdrawals w where w.state = 'finalized'`,
})

export const reconcile: Command = {
  usage: '[--by <name>]',
  description:
    'compares every deposit, sweep and payout on the chain with the books, credits missed deposits and books missed sweeps. Exits with 1 if a payout differs that `restored` and `acknowledge` have not handled',
  positionals: 0,
  options: ['by'],
  async run(context, given) {
    // Check --by before anything is changed.
    operatorOf(given)
    const { chain, boundChain } = await requireChain(context)
    const did: string[] = []
    try {
      await compare(context, { chain, treasury: boundChain.treasury as Address, did })
    } finally {
      // What is changed is logged even if no node answers later.
      if (did.length > 0)
        await runLogged(context, { command: 'reconcile', arguments: {}, given }, async () => did.join(' '))
    }
  },
}

/** Compares step by step. What each step did is added to `did`, as sentences. */
async function compare(
  context: CommandContext,
  { chain, treasury, did }: { chain: Chain; treasury: Address; did: string[] },
): Promise<void> {
  const credited = await creditMissedDeposits(context, chain)
  did.push(credited.summary)
  const treasuryTokens = await chain.tokenAccountOf(treasury)
  const swept = await recordAllMissedSweeps({ ...context, chain, treasury, treasuryTokens })
  did.push(describeSweeps(swept))
  const payouts = await findUnowedPayouts(context, { chain, treasury })
  const differences = [
    ...credited.unread.values(),
    ...(swept.done ? [] : ['the nodes do not agree about a sweep: try again later.']),
    ...differencesOf(payouts),
    ...(await unpaid(context, chain, payouts)),
  ]
  for (const line of differences) context.say(`DIFFERS  ${line}`)
  if (differences.length > 0) process.exitCode = 1
  did.push(...describePayouts(payouts, differences.length))
}

const describeSweeps = ({ recorded }: RecordedSweeps): string =>
  recorded === 0 ? 'No missed sweeps.' : `${recorded} missed sweeps recorded.`

function describePayouts({ landed, unowed }: PayoutsOnChain, differences: number): string[] {
  const handled = unowed.filter(isDone).length
  return [
    `${landed.size} payouts are on the chain.`,
    ...(handled > 0 ? [`Operators have handled ${handled} that the books did not owe.`] : []),
    differences === 0 ? 'No differences.' : `Differences: ${differences}.`,
  ]
}

function differencesOf({ unowed, unsure }: PayoutsOnChain): string[] {
  return [
    ...unowed.filter((each) => !isDone(each)).map(describeUnowed),
    ...unsure.map((signature) => `transaction ${signature}: the nodes do not agree about it.`),
  ]
}

function describeUnowed({
  withdrawalId: id,
  signature,
  wallet,
  amount,
  state,
  restored,
}: UnowedPayout): string {
  const owed =
    state === null
      ? `withdrawal ${id} is not in the books`
      : `withdrawal ${id} is ${state} in the books, with another transaction or none`
  const debt = restored === null ? '' : ` ${formatExact(debtOf(restored))} $COTTON of it are a debt.`
  const to = wallet === null ? '' : ` to ${wallet}`
  return `transaction ${signature} paid ${formatExact(amount)} $COTTON${to}, but ${owed}.${debt}`
}

/** How many statuses a node reads in one call. */
const AT_ONCE = 100

// A payout may have landed after the history was read, or so long ago that the node's history no longer has it.
async function unpaid(
  { db }: Pick<CommandContext, 'db'>,
  chain: Chain,
  { landed }: PayoutsOnChain,
): Promise<string[]> {
  const paid = await db.rows(readPaid)
  const unseen = paid.filter(({ signatures }) => !signatures.some((each) => landed.has(each)))
  const lines: string[] = []
  for (let from = 0; from < unseen.length; from += AT_ONCE) {
    const some = unseen.slice(from, from + AT_ONCE)
    const signatures = some.flatMap((row) => row.signatures)
    const outcomes = signatures.length > 0 ? await readOutcomes(chain, signatures) : []
    const found = new Set(signatures.filter((_, at) => outcomes[at] === 'landed'))
    lines.push(...some.filter((row) => !row.signatures.some((each) => found.has(each))).map(describeUnpaid))
  }
  return lines
}

const describeUnpaid = ({ id, amount }: Paid): string =>
  `withdrawal ${id} of ${formatExact(amount)} $COTTON is paid in the books, but the chain shows no payout.`
