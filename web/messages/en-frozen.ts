/** What a player whose wallet is frozen reads. Its own file keeps it out of the first load. */
export const frozenMessages = {
  title: 'Your wallet is frozen.',
  text: 'You can see everything, but not hire, claim, buy, sell or withdraw. Deposits are still credited.',
  reason: (reason: string, since: string) => `Since ${since}. The operator gives this reason: ${reason}`,
} as const
