import { shown } from '#game/cotton.ts'
import { DAILY_BUDGET_BPS, WALLET_BUDGET_BPS } from '#game/credit.ts'
import type { Cluster } from './chain/port.ts'
import type { WithdrawalLimits } from './platform/withdrawal-settings.ts'
import { LARGEST_BY_ONE } from './withdrawals/policy.ts'

/** What decides when a withdrawal goes out: the chain that the game runs on, and the operator's settings. */
export type Policy = { cluster: Cluster; limits: WithdrawalLimits }

/**
 * The rules in force, by the names that stand in braces in the text of the terms: `- {earned rules}` and
 * `- {withdrawal rules}`. Each is items of a list. They come from what the server goes by, so that they cannot differ.
 */
export function policyInWords(policy: Policy): Record<string, string> {
  return {
    'earned rules': listOf(earnedRules(policy)),
    'withdrawal rules': listOf([...whenItGoesOut(policy), ...forEveryone(policy)]),
  }
}

const listOf = (rules: readonly string[]): string => rules.map((rule) => `- ${rule}`).join('\n')

const percent = (bps: bigint): string => `${Number(bps) / 100} percent`

function earnedRules({ cluster }: Policy): string[] {
  return [
    ...(cluster === 'local'
      ? []
      : ['Earned credit can be withdrawn only once a deposit of yours has been credited.']),
    `Earned credit can be withdrawn only within a daily budget: ${percent(DAILY_BUDGET_BPS)} of the pool, which is deposited credit that players have spent. The budget is shared by all players, first come, first served, and one wallet can take ${percent(WALLET_BUDGET_BPS)} of it. It can be zero.`,
  ]
}

function whenItGoesOut({ cluster, limits }: Policy): string[] {
  if (cluster === 'local') {
    return [
      'This game runs on a test chain, where tokens are worth nothing. No withdrawal waits for the operator.',
    ]
  }
  const { reviewAbove, newWalletHours, perWalletDay, perHour } = limits
  return [
    'The first withdrawal of a wallet waits until the operator has approved it.',
    ...(newWalletHours > 0
      ? [
          `So does every withdrawal of a wallet that has been here for less than ${count(newWalletHours, 'hour')}.`,
        ]
      : []),
    `So does a withdrawal of more than ${shown(reviewAbove)} $COTTON. Above ${shown(LARGEST_BY_ONE)} $COTTON two people must approve it.`,
    `So does what a wallet asks for within 24 hours beyond ${count(perWalletDay.count, 'withdrawal')} or ${shown(perWalletDay.sum)} $COTTON, and what would go out to all wallets together within an hour beyond ${count(perHour.count, 'withdrawal')} or ${shown(perHour.sum)} $COTTON.`,
    'So does a withdrawal of earned credit that could not be checked within a day.',
    'All other withdrawals go out without anybody’s approval. The operator can reject a withdrawal; then the credit is back in your balance, with the reason.',
  ]
}

const forEveryone = ({ limits: { openPerWallet } }: Policy): string[] => [
  `A wallet can have ${count(openPerWallet, 'open withdrawal')}. The next one is refused until one of them has been paid or refunded.`,
  'The smallest withdrawal is 1 $COTTON. It goes to the wallet you log in with.',
]

const count = (many: number, what: string): string =>
  `${many.toLocaleString('en-US')} ${what}${many === 1 ? '' : 's'}`
