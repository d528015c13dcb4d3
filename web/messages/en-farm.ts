import { type Cotton, formatCotton } from '#game/cotton.ts'

/** What only the farm says. */
export const farmMessages = {
  claimAll: 'Claim all',
  claimingAll: 'Claiming…',
  claimedEverything: 'Every field is claimed.',
  rate: (perHour: string) => `${perHour} per hour`,
  allPickers: 'All my pickers',
  hire: (name: string) => `Hire ${name}`,
  missing: (amount: Cotton) => `Needs ${formatCotton(amount)} more`,
  soldOut: 'All hired. None left.',
} as const
