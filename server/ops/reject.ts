import { formatExact } from '#game/cotton.ts'
import { totalOf } from '#game/credit.ts'
import { assert } from '#server/platform/assert.ts'
import { rowOf, sql, type Tx } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { refundWithdrawal } from '#server/withdrawals/close-withdrawal.ts'
import type { WithdrawalState } from '#server/withdrawals/read-withdrawals.ts'
import type { Arguments, Command, CommandContext } from './command.ts'
import { findWithdrawal, STATE_TEXTS } from './find-withdrawal.ts'
import { runLogged, operatorOf } from './operator-log.ts'
import { required } from './read-arguments.ts'

// The states without a signed transaction. A signed one can land at any time.
const UNSIGNED: ReadonlySet<WithdrawalState> = new Set(['requested', 'review', 'approved'])

const LONGEST_REASON = 300
const MAX_AT_ONCE = 500

const readUnsigned = sql({
  name: 'operator-read-unsigned',
  params: { wallet: 'text', states: 'text[]', limit: 'integer' },
  row: rowOf<{ id: string }>(),
  text: ({ wallet, states, limit }) =>
    `select id::text from withdrawals where wallet = ${wallet} and state = any(${states})
     order by requested_at, id limit ${limit}`,
})

export const reject: Command = {
  usage: '<id>… --by <name> --reason <text for the player>, or --wallet <wallet> in place of ids',
  description: 'rejects and refunds withdrawals that are not signed yet. The players read the reason',
  positionals: { min: 0, max: MAX_AT_ONCE },
  options: ['by', 'reason', 'wallet'],
  async run(context, given) {
    operatorOf(given)
    const reason = required(given, 'reason')
    if (reason.length > LONGEST_REASON) {
      throw new StartupError(`--reason must have at most ${LONGEST_REASON} characters: the player reads it.`)
    }
    const { wallet } = given.options
    if ((wallet === undefined) === (given.positionals.length === 0)) {
      throw new StartupError(
        'Give the ids of withdrawals, or --wallet with the wallet whose unsigned withdrawals to reject.',
      )
    }
    if (wallet !== undefined) return rejectWallet(context, { wallet, reason, given })
    const ids = [...new Set(given.positionals)]
    if (ids.length === 1) return rejectOne(context, { id: ids[0]!, reason, given })
    await rejectAll(context, { ids, reason, given })
  },
}

async function rejectWallet(
  context: CommandContext,
  { wallet, ...rejecting }: Rejecting & { wallet: string },
): Promise<void> {
  const rows = await context.db.rows(readUnsigned, { wallet, states: [...UNSIGNED], limit: MAX_AT_ONCE + 1 })
  if (rows.length === 0) {
    const { given } = rejecting
    return runLogged(context, { command: 'reject', arguments: { wallet }, given }, () => {
      throw new StartupError(`${wallet} has no unsigned withdrawal.`)
    })
  }
  await rejectAll(context, { ids: rows.slice(0, MAX_AT_ONCE).map((row) => row.id), ...rejecting })
  if (rows.length > MAX_AT_ONCE) context.say(`${wallet} has more of them: repeat the command.`)
}

type Rejecting = { reason: string; given: Arguments }

/** Rejects one after the other, each in its own transaction and with its own log line: done rejections stay. */
async function rejectAll(
  context: CommandContext,
  { ids, ...rejecting }: Rejecting & { ids: readonly string[] },
): Promise<void> {
  let refusals = 0
  for (const id of ids) {
    try {
      await rejectOne(context, { id, ...rejecting })
    } catch (error) {
      if (!(error instanceof StartupError)) throw error
      refusals += 1
      context.say(`Refused: ${error.message}`)
    }
  }
  context.say(`Rejected ${ids.length - refusals} of ${ids.length}.`)
  if (refusals > 0) throw new StartupError(`${refusals} of ${ids.length} were not rejected: see above.`)
}

function rejectOne(
  context: CommandContext,
  { id, reason, given }: Rejecting & { id: string },
): Promise<void> {
  return runLogged(context, { command: 'reject', arguments: { id }, given }, (tx, { now }) =>
    refundOne(tx, { id, reason, now }),
  )
}

async function refundOne(
  tx: Tx,
  { id, reason, now }: { id: string; reason: string; now: Date },
): Promise<string> {
  const withdrawal = await findWithdrawal(tx, id)
  const { state, wallet, deposited, earned } = withdrawal
  if (!UNSIGNED.has(state))
    throw new StartupError(`Withdrawal ${id} ${STATE_TEXTS[state]}. It cannot be rejected.`)
  assert(await refundWithdrawal(tx, { id, wallet, now, reason }), 'a locked open withdrawal can be refunded')
  return `Rejected: ${formatExact(totalOf(withdrawal))} $COTTON returned to ${wallet} (deposited ${formatExact(deposited)}, earned ${formatExact(earned)}).`
}
