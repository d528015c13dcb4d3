import { totalOf } from '#game/credit.ts'
import { assert } from '#server/platform/assert.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'
import { StartProblem } from '#server/platform/start-problem.ts'
import { refundWithdrawal } from '#server/withdrawals/close-withdrawal.ts'
import type { WithdrawalState } from '#server/withdrawals/read-withdrawals.ts'
import { exactly } from './amounts.ts'
import type { Command, Desk } from './desk.ts'
import { findWithdrawal, STANDS } from './find-withdrawal.ts'
import { actLogged, operatorOf } from './operator-log.ts'
import { type Arguments, required } from './read-arguments.ts'

// Nothing was signed for these. What is signed may land whatever the books say.
const UNSIGNED: ReadonlySet<WithdrawalState> = new Set(['requested', 'review', 'approved'])

const LONGEST_REASON = 300
const MOST_AT_ONCE = 500

const readUnsigned = sql(
  'operator-read-unsigned',
  `select id::text from withdrawals where wallet = $1 and state = any($2::text[])
   order by requested_at, id limit $3`,
)

export const reject: Command = {
  usage: '<id>… --by <name> --reason <text for the player>, or --wallet <wallet> in place of ids',
  does: 'rejects and refunds withdrawals that are not signed yet. The players read the reason',
  words: { least: 0, most: MOST_AT_ONCE },
  options: ['by', 'reason', 'wallet'],
  async run(desk, given) {
    operatorOf(given)
    const reason = required(given, 'reason')
    if (reason.length > LONGEST_REASON) {
      throw new StartProblem(`--reason is read by the player: at most ${LONGEST_REASON} letters.`)
    }
    const { wallet } = given.options
    if ((wallet === undefined) === (given.words.length === 0)) {
      throw new StartProblem(
        'Give the ids of withdrawals, or --wallet and the wallet whose unsigned ones go back.',
      )
    }
    if (wallet !== undefined) return rejectOf(desk, { wallet, reason, given })
    const ids = [...new Set(given.words)]
    if (ids.length === 1) return rejectOne(desk, { id: ids[0]!, reason, given })
    await rejectAll(desk, { ids, reason, given })
  },
}

async function rejectOf(desk: Desk, { wallet, ...rejecting }: Rejecting & { wallet: string }): Promise<void> {
  const rows = await desk.db.rows<{ id: string }>(readUnsigned, [wallet, [...UNSIGNED], MOST_AT_ONCE + 1])
  if (rows.length === 0) {
    const { given } = rejecting
    return actLogged(desk, { command: 'reject', arguments: { wallet }, given }, () => {
      throw new StartProblem(`No withdrawal of ${wallet} waits unsigned.`)
    })
  }
  await rejectAll(desk, { ids: rows.slice(0, MOST_AT_ONCE).map((row) => row.id), ...rejecting })
  if (rows.length > MOST_AT_ONCE) desk.say(`There are more of ${wallet}: give the command again.`)
}

type Rejecting = { reason: string; given: Arguments }

/** One after the other, each in a transaction and with a line of the log of its own: what was done stays done. */
async function rejectAll(
  desk: Desk,
  { ids, ...rejecting }: Rejecting & { ids: readonly string[] },
): Promise<void> {
  let refusals = 0
  for (const id of ids) {
    try {
      await rejectOne(desk, { id, ...rejecting })
    } catch (error) {
      if (!(error instanceof StartProblem)) throw error
      refusals += 1
      desk.say(`Refused: ${error.message}`)
    }
  }
  desk.say(`Rejected ${ids.length - refusals} of ${ids.length}.`)
  if (refusals > 0) throw new StartProblem(`${refusals} of ${ids.length} were not rejected; see above.`)
}

function rejectOne(desk: Desk, { id, reason, given }: Rejecting & { id: string }): Promise<void> {
  return actLogged(desk, { command: 'reject', arguments: { id }, given }, (tx, { now }) =>
    giveBack(tx, { id, reason, now }),
  )
}

async function giveBack(
  tx: Tx,
  { id, reason, now }: { id: string; reason: string; now: Date },
): Promise<string> {
  const withdrawal = await findWithdrawal(tx, id)
  const { state, wallet, deposited, earned } = withdrawal
  if (!UNSIGNED.has(state))
    throw new StartProblem(`Withdrawal ${id} ${STANDS[state]}: it cannot be rejected.`)
  assert(await refundWithdrawal(tx, { id, wallet, now, reason }), 'what is locked and open can be refunded')
  return `Rejected: ${exactly(totalOf(withdrawal))} $COTTON are back with ${wallet} (deposited ${exactly(deposited)}, earned ${exactly(earned)}).`
}
