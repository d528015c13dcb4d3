/** The first page. */
export const heroMessages = {
  page: 'Play',
  tag: 'Hire pickers. Claim $COTTON every hour. Own the world.',
  start: 'Start picking',
  steps: ['Hire your pickers', 'Claim $COTTON', 'Own the land'],
} as const
