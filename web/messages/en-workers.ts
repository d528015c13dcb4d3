import { type Cotton, formatCotton, formatCount } from '#game/cotton.ts'

/** The page of all pickers, beside the sentences of the specification. */
export const workersMessages = {
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
