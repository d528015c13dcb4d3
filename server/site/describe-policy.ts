import { percentOf } from '#game/basis-points.ts'
import { formatCotton } from '#game/cotton.ts'
import { DAILY_BUDGET_BPS, FEE_BPS, WALLET_BUDGET_BPS } from '#game/credit.ts'
import type { Cluster } from '#server/chain/port.ts'
import type { WithdrawalLimits } from '#server/platform/withdrawal-settings.ts'

/** What the rules of withdrawals depend on: the chain of the game and the operator's settings. */
export type Policy = { cluster: Cluster; limits: WithdrawalLimits }

/**
 * The rules in force, by their placeholder in the terms: `- {earned rules}` and `- {withdrawal rules}`. Each is a list of
 * items. They are derived from the settings that the server uses, so that both always agree.
 */
export function describePolicy(policy: Policy): Record<string, string> {
  return {
    'earned rules': listOf(describeEarnedRules(policy)),
    'withdrawal rules': listOf([...describeReviewRules(policy), ...describeGeneralRules(policy)]),
  }
}

const listOf = (rules: readonly string[]): string => rules.map((rule) => `- ${rule}`).join('\n')

const percent = (bps: bigint): string => `${percentOf(bps)} percent`

/** Numbers of the rules by their placeholders, which may be anywhere in the text of the terms: `{resale fee}`. */
export const TERM_NUMBERS: Readonly<Record<string, string>> = { 'resale fee': percent(FEE_BPS) }

function describeEarnedRules({ cluster }: Policy): string[] {
  return [
    ...(cluster === 'local'
      ? []
      : ['You can withdraw earned credit only once one of your deposits has been credited.']),
    `Withdrawals of earned credit are limited to a daily budget of ${percent(DAILY_BUDGET_BPS)} of the pool. The pool is deposited credit that players have spent, and tokens that the operator added. All players share the budget, first come, first served, and one wallet can take at most ${percent(WALLET_BUDGET_BPS)} of it. The budget can be zero.`,
  ]
}

function describeReviewRules({ cluster, limits }: Policy): string[] {
  if (cluster === 'local') {
    return [
      'This game runs on a test chain, where tokens have no value. No withdrawal waits for the operator.',
    ]
  }
  const { reviewAbove, newWalletHours, perWalletDay, perHour } = limits
  return [
    'The first withdrawal of a wallet waits until the operator has approved it.',
    ...(newWalletHours > 0
      ? [
          `So does every withdrawal of a wallet that joined the game less than ${count(newWalletHours, 'hour')} ago.`,
        ]
      : []),
    `So does a withdrawal of more than ${formatCotton(reviewAbove)} $COTTON. A very large one needs the approval of two people.`,
    `So does every withdrawal beyond ${count(perWalletDay.count, 'withdrawal')} or ${formatCotton(perWalletDay.sum)} $COTTON of one wallet within 24 hours, and beyond ${count(perHour.count, 'withdrawal')} or ${formatCotton(perHour.sum)} $COTTON of all wallets together within an hour. Withdrawals that you cancel, or that the chain rejects, count towards the number within 24 hours.`,
    'So does a withdrawal of earned credit that could not be checked within a day.',
    'All other withdrawals are paid without manual approval. The operator can reject a withdrawal; the credit then returns to your balance, and you see the reason.',
  ]
}

const describeGeneralRules = ({ limits: { openPerWallet } }: Policy): string[] => [
  `A wallet can have ${count(openPerWallet, 'open withdrawal')}. The next one is refused until one of them has been paid or refunded.`,
  'The smallest withdrawal is 1 $COTTON. It goes to the wallet you log in with.',
]

const count = (quantity: number, noun: string): string =>
  `${quantity.toLocaleString('en-US')} ${noun}${quantity === 1 ? '' : 's'}`
