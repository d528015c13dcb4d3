import { formatCount } from '#game/cotton.ts'

/** The summary that a returning player reads. */
export const awayMessages = {
  /** On the first page. */
  farm: 'My farm',
  farmReady: (amount: string) => `My farm · ${amount} ready`,
  title: 'While you were away',
  since: (moment: string) => `Since ${moment}`,
  close: 'Close the summary',
  ready: 'Ready to claim',
  readyText: (pickers: number) =>
    pickers === 1 ? 'Your picker kept working.' : `Your ${formatCount(pickers)} pickers kept working.`,
  claimAll: (amount: string) => `Claim all ${amount}`,
  fields: 'Go to my fields',
  sold: 'Land sold',
  soldText: (names: readonly string[], more: number) =>
    more > 0 ? `${names.join(', ')} and ${formatCount(more)} more` : names.join(', '),
  deposit: 'Deposit credited',
  paid: 'Withdrawal paid',
  paidText: 'It is in your wallet.',
  refunded: 'Withdrawal refunded',
  adjustment: 'Adjustment',
  times: (count: number) => `×${formatCount(count)}`,
  spoken: (moment: string, lines: readonly string[]) =>
    `While you were away, since ${moment}: ${lines.join('; ')}.`,
} as const
