import { type Cotton, formatCotton, formatCount } from '#game/cotton.ts'
import { formatAmount } from './amount.ts'
import { NUMBER_LOCALE } from './locale.ts'

/** The open books: the reserve, the $COTTON and the withdrawals of the game. Its own file keeps it out of the first load. */
export const transparencyMessages = {
  page: 'Open Books',
  sub: 'Every token, accounted for',
  link: 'Open books',
  loading: 'Loading the books...',
  failed: 'The books could not be loaded.',
  failedText: 'The game did not respond. Your balance is not affected.',

  reserve: 'Is every token backed?',
  covered: 'Yes. Every token that the game owes is on the chain.',
  coveredMore: (more: Cotton | null) =>
    `Yes. Every token that the game owes is on the chain, and ${formatAmount(more)} $COTTON more.`,
  short: (missing: Cotton | null) =>
    `No. ${formatAmount(missing)} $COTTON are missing. Withdrawals are paused until the operator has found the cause.`,
  unconfirmed:
    'The last check found fewer tokens than the game owes. A node may be behind: the next checks decide.',
  unseen: 'These figures may be out of date: the last check is more than a minute old.',
  notChecked: 'Not checked yet.',
  notCheckedText: 'The first check of the chain runs within a few seconds.',
  percent: (percent: number | null) =>
    `${percent?.toLocaleString(NUMBER_LOCALE, { maximumFractionDigits: 1 }) ?? '–'}%`,
  ofOwed: 'of what is owed',
  tokens: 'Tokens on the chain',
  owed: 'What the game owes',
  treasury: 'In the treasury',
  cold: 'In cold storage',
  coldWallets: (count: number) =>
    count === 1 ? 'Which wallet is cold storage?' : `Which ${formatCount(count)} wallets are cold storage?`,
  coldText:
    'The operator holds the keys, and no server of the game has them. Anyone can look up the balance on the chain.',
  depositAccounts: 'In players’ deposit addresses',
  inFlight: 'Paid out, not recorded yet',
  deposited: 'Players’ deposits',
  pool: 'Reward pool',
  held: 'Withdrawals not paid yet',
  checkedAt: (time: string, slot: number) => `Checked at ${time}, block ${formatCount(slot)}.`,
  explanation:
    'Both sides are read at the same block, every few seconds. Earnings are not included: they become tokens only when they are withdrawn, and those tokens come out of the pool.',

  supply: '$COTTON in the game',
  supplies: {
    deposited: ['Deposited', 'Backed one for one. Unspent deposits can always be withdrawn.'],
    earned: ['Earned', 'Spend it right away; withdraw it up to the daily limit.'],
    pool: ['Pool', 'Tokens that players spent or the operator added. Rewards are paid from it.'],
    held: ['Being paid out', 'Withdrawals that were requested and are not paid yet.'],
  },

  flows: 'Created and spent',
  flow: 'Flow',
  lastDay: 'Last 24 hours',
  allTime: 'All time',
  flowsOf: {
    emitted: ['Created', 'Earnings that players claimed from their pickers.'],
    burned: ['Used', 'Earnings that were spent or withdrawn. They no longer exist.'],
    spent: ['Added to the pool', 'Deposits that were spent on pickers and land.'],
  },

  budget: 'Today’s reward budget',
  used: (percent: number | null) => `${percent ?? '–'}% used`,
  usedLabel: 'Share of today’s budget that is used',
  total: 'Today’s budget',
  left: 'Left today',
  perWallet: 'Limit per wallet',
  resets: 'Resets',
  budgetText:
    'You can spend all of your earnings in the game. Withdrawing them counts against this budget: one percent of the pool a day, first come, first served. The budget can be zero, and no return is promised.',
  budgetEmpty: 'The pool is empty, so earnings cannot be withdrawn today. Unspent deposits can.',

  queue: 'Pending withdrawals',
  queueEmpty: 'No one is waiting',
  queueEmptyText: 'All withdrawals are settled.',
  states: {
    requested: 'Requested',
    review: 'Waiting for review',
    signed: 'Signed',
    sent: 'On their way',
    finalized: 'Paid',
    refunded: 'Refunded',
  },
  count: (count: number) => (count === 1 ? '1 withdrawal' : `${formatCount(count)} withdrawals`),
  oldest: (time: string) => `oldest since ${time}`,
  paused: (time: string) => `Withdrawals have been paused since ${time}.`,

  meter: 'Token reserve',
  meterLine: (percent: string | null, left: Cotton | null) =>
    `${percent === null ? 'Reserve not known right now' : `Reserve ${percent}`} · today’s budget ${formatCotton(left)}`,
  why: 'Why?',
  whyText:
    'Deposits are paid from the reserve. Earnings are paid from a daily budget, one percent of the reward pool, first come, first served.',
  meterCaption: (percent: string) => `${percent} of what is owed`,
  meterUnknown: 'not known right now',
  budgetLeft: 'Reward budget left',
  limitChecks: {
    none: 'Enter an amount to check it against today’s limit.',
    deposited: 'Available now.',
    earned: (earned: Cotton | null) =>
      `Available now. ${formatAmount(earned)} of it are earnings and count against today’s limit.`,
    overLimit: (max: Cotton | null, time: string) =>
      `Right now you can withdraw at most ${formatCotton(max)}. The limit for earnings resets on ${time}.`,
    tooMuch: 'This is more than your balance.',
    paused: 'Withdrawals are paused right now.',
  },
} as const
