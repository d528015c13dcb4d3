import { fillSentence, NOT_ENOUGH_CREDIT, SOLD_OUT } from '#contract/refusal-sentences.ts'
import { type Cotton, formatCotton, formatCount } from '#game/cotton.ts'
import type { WorkerType } from '#game/workers.ts'

/** Hiring: what cards, close-up and alerts say beside the sentences of the specification. */
export const hiringMessages = {
  joined: (name: string) => `${name} joined your farm!`,
  seeOnFarm: (name: string) => `See ${name} on your farm`,
  owned: (count: number) => `You own ${formatCount(count)}`,
  badges: { start: 'Start here', few: 'Few left', none: 'Sold out' },
  connect: 'Connect a wallet to hire',
  enoughFor: (count: number) => `Enough for ${formatCount(count)}`,
  allHired: 'Every one has found a farm',
  deposit: 'Deposit $COTTON',
  testTokens: {
    hint: 'You are on a test server. Get free test tokens on your profile and deposit them:',
    hintLink: 'Get test tokens',
  },

  perDay: (amount: Cotton | null) => `${formatCotton(amount)} a day`,
  left: (count: number) => (count > 0 ? `${formatCount(count)} left to hire` : 'None left to hire'),
  yours: 'On your farm',
  about: {
    kid: 'First in the field every morning, and counts every boll out loud.',
    grandma: 'Knows each row by name, and hums while her basket fills.',
    grandad: 'Has a tale for every furrow, and the biggest sack on the hill.',
    bigman: 'Carries the whole harvest on one shoulder, and never stops smiling.',
  } satisfies Record<WorkerType, string>,
} as const

/** The sentences of the specification about pickers, and what stands beside them on their page. */
export const pickerMessages = {
  page: 'Buy Pickers',
  sub: 'Every picker fills your basket, hour after hour',
  list: 'Pickers',
  costs: 'Costs',
  collects: ['Collects', 'per hour'],
  available: 'Available',
  sold: (sold: number, max: number) => `${formatCount(sold)} / ${formatCount(max)} sold`,
  soldLabel: (name: string) => `${name}: share sold`,
  view: (name: string) => `View ${name}`,
  buy: 'BUY',
  buying: 'PURCHASING...',
  needMore: (missing: Cotton | null) => `You need ${formatCotton(missing)} more`,
  notEnough: (required: Cotton | null, available: Cotton | null) =>
    fillSentence(NOT_ENOUGH_CREDIT, {
      required: formatCotton(required),
      available: formatCotton(available),
    }),
  soldOut: (name: string) => fillSentence(SOLD_OUT, { name }),
  failed: 'Purchase failed. Please try again.',
  purchased: (id: string) => `Successfully purchased ${id}!`,
  sample: 'Sample data – not live',
  sampleText: 'Failed to load worker data',
  note: 'Your pickers stay for good. Purchases are final, and no return is promised.',
} as const
