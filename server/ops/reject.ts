import { totalOf } from '#game/credit.ts'
import { toDecimal } from '#game/cotton.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { UNSIGNED } from '#server/signer/acts/reject-withdrawal.ts'
import type { Arguments, Command, CommandContext } from './command.ts'
import { required } from './read-arguments.ts'
import { readWithdrawal } from './read-withdrawal.ts'
import { beginAct, canSign, SIGNING_OPTIONS, SIGNING_USAGE, type WaitForOutcome } from './sign-act.ts'

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
  usage: `<id>… --reason <text for the player> ${SIGNING_USAGE}, or --wallet <wallet> in place of ids`,
  description:
    'rejects and refunds withdrawals that are not signed yet. The players read the reason. Several at once need --key',
  positionals: { min: 0, max: MAX_AT_ONCE },
  options: ['reason', 'wallet', ...SIGNING_OPTIONS],
  async run(context, given) {
    const reason = required(given, 'reason')
    const { wallet } = given.options
    if ((wallet === undefined) === (given.positionals.length === 0)) {
      throw new StartupError(
        'Give the ids of withdrawals, or --wallet with the wallet whose unsigned withdrawals to reject.',
      )
    }
    if (wallet !== undefined) return rejectWallet(context, { wallet, reason, given })
    const ids = [...new Set(given.positionals)]
    if (ids.length === 1) {
      const waitForOutcome = await beginOne(context, { id: ids[0]!, reason, given })
      await waitForOutcome()
      return
    }
    await rejectAll(context, { ids, reason, given })
  },
}

async function rejectWallet(
  context: CommandContext,
  { wallet, ...rejecting }: Rejecting & { wallet: string },
): Promise<void> {
  const rows = await context.db.rows(readUnsigned, { wallet, states: [...UNSIGNED], limit: MAX_AT_ONCE + 1 })
  if (rows.length === 0) throw new StartupError(`${wallet} has no unsigned withdrawal.`)
  await rejectAll(context, { ids: rows.slice(0, MAX_AT_ONCE).map((row) => row.id), ...rejecting })
  if (rows.length > MAX_AT_ONCE) context.say(`${wallet} has more of them: repeat the command.`)
}

type Rejecting = { reason: string; given: Arguments }

/** Signs all of them and then waits for the signer, which refunds each in its own transaction: done rejections stay. */
async function rejectAll(
  context: CommandContext,
  { ids, ...rejecting }: Rejecting & { ids: readonly string[] },
): Promise<void> {
  if (!canSign(rejecting.given))
    throw new StartupError('Several withdrawals need several signatures: use --key, or reject each alone.')
  let refusals = 0
  const orReport = async <T>(work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StartupError)) throw error
      refusals += 1
      context.say(`Refused: ${error.message}`)
      return null
    }
  }
  const begun: WaitForOutcome[] = []
  for (const id of ids) {
    const waitForOutcome = await orReport(() => beginOne(context, { id, ...rejecting }))
    if (waitForOutcome) begun.push(waitForOutcome)
  }
  let waiting = 0
  for (const waitForOutcome of begun) {
    // A signer that has not executed one executes none of the others: to wait for each would take hours.
    const isDone = await orReport(() => waitForOutcome(waiting > 0 ? 0 : undefined))
    if (isDone === false) waiting += 1
  }
  const rest = waiting > 0 ? ` ${waiting} wait for the signer.` : ''
  context.say(`Rejected ${ids.length - refusals - waiting} of ${ids.length}.${rest}`)
  if (refusals > 0) throw new StartupError(`${refusals} of ${ids.length} were not rejected: see above.`)
}

async function beginOne(
  context: CommandContext,
  { id: named, reason, given }: Rejecting & { id: string },
): Promise<WaitForOutcome> {
  const withdrawal = await readWithdrawal(context.db, named)
  const { id, wallet } = withdrawal
  const amount = toDecimal(totalOf(withdrawal))
  return beginAct(context, given, { kind: 'reject', withdrawalId: id, wallet, amount, reason })
}
