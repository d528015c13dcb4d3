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
