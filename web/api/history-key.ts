/** The key of the player's history in the query cache. */
export const HISTORY_KEY = ['mine', 'history']
