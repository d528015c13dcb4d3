import { fatesOf } from '#server/chain/agree.ts'
import type { Address, Chain } from '#server/chain/port.ts'
import { type Learned, learnAllSweeps } from '#server/signer/sweeps/learn-sweeps.ts'
import { exactly } from './amounts.ts'
import { creditMissed } from './credit-missed.ts'
import { type Command, ownChain } from './desk.ts'
import { type Booked, findUnowed, isDone, type PayoutsOnChain, type Unowed } from './find-unowed.ts'
import { actLogged, operatorOf } from './operator-log.ts'
import { debtOf } from './restored-payouts.ts'

export const reconcile: Command = {
  usage: '[--by <name>]',
  does: 'compares every deposit, sweep and payout on the chain with the books, credits missed deposits and books missed sweeps. Exits with 1 if a payout differs that `restored` and `acknowledge` have not handled',
  words: 0,
  options: ['by'],
  async run(desk, given) {
    // Whoever does not say who they are is told so before anything is done.
    operatorOf(given)
    const { chain, own } = await ownChain(desk)
    const treasury = own.treasury as Address
    const credited = await creditMissed(desk, chain)
    const treasuryTokens = await chain.tokenAccountOf(treasury)
    const swept = await learnAllSweeps({ ...desk, chain, treasury, treasuryTokens })
    const payouts = await findUnowed(desk, { chain, treasury })
    const differences = [
      ...(swept.done ? [] : ['the nodes do not agree on a sweep: ask again later.']),
      ...differencesOf(payouts),
      ...(await unpaid(chain, payouts)),
    ]
    for (const line of differences) desk.say(`DIFFERS  ${line}`)
    if (differences.length > 0) process.exitCode = 1
    await actLogged(desk, { command: 'reconcile', arguments: {}, given }, async () =>
      [credited, sweepsInWords(swept), ...payoutsInWords(payouts, differences.length)].join(' '),
    )
  },
}

const sweepsInWords = ({ learned }: Learned): string =>
  learned === 0 ? 'No sweep was missed.' : `${learned} sweeps were booked now.`

function payoutsInWords({ landed, unowed }: PayoutsOnChain, differences: number): string[] {
  const seen = unowed.filter(isDone).length
  return [
    `${landed.size} payouts are on the chain.`,
    ...(seen > 0 ? [`Operators have dealt with ${seen} that the books did not owe.`] : []),
    differences === 0 ? 'The books know them all.' : `${differences} differ from the books.`,
  ]
}

function differencesOf({ unowed, unsure }: PayoutsOnChain): string[] {
  return [
    ...unowed.filter((each) => !isDone(each)).map(unknownPayment),
    ...unsure.map((signature) => `transaction ${signature}: the nodes do not agree on it.`),
  ]
}

function unknownPayment({ withdrawalId: id, signature, wallet, amount, state, restored }: Unowed): string {
  const owed =
    state === null
      ? `the books know no withdrawal ${id}`
      : `withdrawal ${id} is ${state} in the books, by another transaction or none`
  const debt = restored === null ? '' : ` ${exactly(debtOf(restored))} of it are a debt.`
  const to = wallet === null ? '' : ` to ${wallet}`
  return `transaction ${signature} paid ${exactly(amount)} $COTTON${to}, but ${owed}.${debt}`
}

/** How many transactions a node is asked about at once. */
const AT_ONCE = 100

// A payout may have landed after the history was read, or so long ago that the history has lost it.
async function unpaid(chain: Chain, { landed, booked }: PayoutsOnChain): Promise<string[]> {
  const unseen = booked.filter(
    ({ state, signatures }) => state === 'finalized' && !signatures.some((each) => landed.has(each)),
  )
  const lines: string[] = []
  for (let from = 0; from < unseen.length; from += AT_ONCE) {
    const some = unseen.slice(from, from + AT_ONCE)
    const signatures = some.flatMap((row) => row.signatures)
    const fates = signatures.length > 0 ? await fatesOf(chain, signatures) : []
    const paid = new Set(signatures.filter((_, at) => fates[at] === 'landed'))
    lines.push(...some.filter((row) => !row.signatures.some((each) => paid.has(each))).map(unpaidInWords))
  }
  return lines
}

const unpaidInWords = ({ id, amount }: Booked): string =>
  `withdrawal ${id} of ${exactly(amount)} $COTTON is paid in the books, and the chain shows no payout.`
