/** What is said while the game does not answer: apart, because the first page of all asks it for nothing. */
export const connectionWords = {
  offline: 'You are offline. What you see may be old.',
  unreachable: 'The game does not answer. What you see may be old.',
  busy: 'The game is being looked after, or very busy. Your farm goes on; what you see may be old.',
  last: 'Last updated',
} as const
