import { shown } from '#game/cotton.ts'
import { shownOrExact } from '#web/ui/amount.ts'
import { NUMBERS } from './locale.ts'

/** The sentences about the game's own money: apart, because the first page of all needs none of them. */
export const transparencyWords = {
  page: 'Open Books',
  sub: 'What there is, and what stands behind it',
  link: 'Open books',
  loading: 'Opening the books...',
  failed: 'The books could not be opened.',
  failedText: 'The game did not answer. Nothing is wrong with your balance.',

  reserve: 'Is every token there?',
  covered: 'Yes. Every token that the game owes is on the chain.',
  coveredMore: (more: number) =>
    `Yes. Every token that the game owes is on the chain, and ${shownOrExact(more)} $COTTON more.`,
  short: (missing: number) =>
    `No: ${shownOrExact(missing)} $COTTON are missing. Withdrawals are paused until a person has found out why.`,
  unseen: 'Nobody has looked lately, so these figures may be old. The operator has been alarmed.',
  never: 'Nobody has looked yet.',
  neverText: 'The first look at the chain comes within a few seconds.',
  percent: (percent: number) => `${percent.toLocaleString(NUMBERS, { maximumFractionDigits: 1 })}%`,
  ofOwed: 'of what is owed',
  tokens: 'Tokens on the chain',
  owed: 'What the game owes',
  treasury: 'In the treasury',
  cold: 'In cold storage',
  coldWallets: (count: number) =>
    count === 1 ? 'Which wallet is cold storage?' : `Which ${shown(count)} wallets are cold storage?`,
  coldText:
    'The operator keeps it, with keys that are on no machine of the game. Anybody can look up on the chain what it holds.',
  depositAccounts: 'In players’ deposit addresses',
  inFlight: 'Paid, about to be booked',
  deposited: 'Players’ deposited credit',
  pool: 'Pool behind rewards',
  held: 'Withdrawals on their way',
  seen: (time: string, slot: number) => `Seen at ${time}, block ${slot.toLocaleString(NUMBERS)}.`,
  how: 'Both sides are read at one and the same block of the chain, every few seconds. Earned credit is not part of it: it becomes tokens only when it leaves, and then they come out of the pool.',

  supply: 'Credit in the game',
  supplies: {
    deposited: ['Deposited', 'Backed one for one. What is not spent can always leave.'],
    earned: ['Earned', 'Good in the game at once. Leaves within the daily budget only.'],
    pool: ['Pool', 'Tokens that players spent, and the operator’s. Rewards are paid from it.'],
    held: ['On the way out', 'Withdrawals that were asked for and are not paid yet.'],
  },

  flows: 'Made and used up',
  flow: 'Flow',
  lastDay: 'Last 24 hours',
  ever: 'Ever',
  flowsOf: {
    emitted: ['Picked', 'Earned credit that pickers made.'],
    burned: ['Used up', 'Earned credit that was spent or left. It is gone for good.'],
    spent: ['Paid in', 'Deposited credit that was spent. It went into the pool.'],
  },

  budget: 'Today’s reward budget',
  used: (percent: number) => `${percent}% taken`,
  usedLabel: 'Share of today’s budget that is taken',
  total: 'Budget of today',
  left: 'Left for today',
  perWallet: 'Each wallet at most',
  resets: 'Starts anew',
  budgetText:
    'Earned credit can be spent in the game, as much as you like. To leave the game it needs room in this budget: one percent of the pool a day, first come, first served. The budget can be zero, and no return is promised.',
  budgetEmpty: 'The pool is empty, so no earned credit can leave today. Deposited credit still can.',

  queue: 'Waiting to leave',
  queueEmpty: 'Nobody waits',
  queueEmptyText: 'Every withdrawal that was asked for has been paid.',
  states: {
    requested: 'Requested',
    review: 'Waiting for review',
    signed: 'Signed',
    sent: 'On their way',
    finalized: 'Paid',
    refunded: 'Refunded',
  },
  count: (count: number) => (count === 1 ? '1 withdrawal' : `${shown(count)} withdrawals`),
  oldest: (time: string) => `oldest since ${time}`,
  paused: (time: string) => `Withdrawals have been paused since ${time}.`,

  meter: 'Token reserve',
  meterCaption: (percent: string) => `${percent} of what is owed`,
  meterUnknown: 'not known right now',
  budgetLeft: 'Reward budget left',
  fills: {
    none: 'Type an amount to see whether it would go out now.',
    deposited: 'All of this is deposited credit: there is room for it now.',
    earned: (earned: number) =>
      `There is room for this now. ${shownOrExact(earned)} of it are earned credit and take from today’s budget.`,
    waits: (most: number, time: string) =>
      `Not all of this can leave now: at most ${shown(most)}. The budget for earned credit starts anew ${time}.`,
    tooMuch: 'This is more than your balance.',
    paused: 'Withdrawals are paused: nothing can leave right now.',
  },
} as const
