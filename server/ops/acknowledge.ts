import { toDecimal } from '#game/cotton.ts'
import type { Address } from '#server/chain/port.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { findOpen, findUnowedPayouts, leftOf } from '#server/signer/acts/find-unowed-payouts.ts'
import { type Command, requireChain } from './command.ts'
import { required } from './read-arguments.ts'
import { runAct, SIGNING_OPTIONS, SIGNING_USAGE } from './sign-act.ts'

export const acknowledge: Command = {
  usage: `<transaction> --reason <text> [--debt pool] ${SIGNING_USAGE}`,
  description:
    'marks a payout that the books do not owe, or its remaining debt, as handled, so that `reconcile` and `restored` no longer report it. With --debt pool the pool covers the rest; without it, send as many tokens to the treasury',
  positionals: 1,
  options: ['reason', 'debt', ...SIGNING_OPTIONS],
  async run(context, given) {
    const [transaction] = given.positionals as [string]
    const { debt = 'none' } = given.options
    if (debt !== 'none' && debt !== 'pool') throw new StartupError('--debt must be pool or omitted.')
    const reason = required(given, 'reason')
    const { chain, boundChain } = await requireChain(context)
    const payouts = await findUnowedPayouts(context, { chain, treasury: boundChain.treasury as Address })
    const amount = toDecimal(leftOf(findOpen(payouts, transaction)))
    await runAct(context, given, { kind: 'acknowledge', transaction, amount, debt, reason })
  },
}
