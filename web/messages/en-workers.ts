import { type Cotton, formatCotton, formatCount } from '#game/cotton.ts'

/** The page of all pickers. Those that the specification fixes appear verbatim. */
export const workersMessages = {
  page: 'Cotton Workers',
  sub: 'Purchase workers to generate $COTTON tokens automatically',
  yours: 'Your Workers',
  generated: 'Generated',
  available: 'Available to Claim',
  claim: 'Claim Tokens',
  loading: 'Loading workers...',

  named: (name: string, number: number) => `${name} no. ${formatCount(number)}`,
  all: 'All',
  show: 'Show',
  type: (name: string, count: number) => `${name} × ${formatCount(count)}`,
  summary: (count: number, perHour: number) =>
    `${count === 1 ? '1 picker' : `${formatCount(count)} pickers`}, ${formatCount(perHour)} $COTTON per hour`,
  ready: (amount: Cotton | null) => `${formatCotton(amount)} ready to claim`,
  sort: 'Sort by',
  sorts: { oldest: 'Hired first', newest: 'Hired last', ready: 'Most ready', generated: 'Most generated' },
} as const
