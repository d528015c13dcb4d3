/** What a player reads while the game does not respond. Its own file keeps it out of the first load. */
export const connectionMessages = {
  offline: 'You are offline. You may be seeing old data.',
  unreachable: 'Cannot reach the game. You may be seeing old data.',
  busy: 'The game is busy or under maintenance. Your farm keeps growing; you may be seeing old data.',
  asOf: 'As of',
  samples: {
    offline: 'You are offline.',
    unreachable: 'Cannot reach the game.',
    busy: 'The game is busy or under maintenance.',
  },
  offlinePage: 'You are offline. This page loads by itself when you are back.',
} as const
