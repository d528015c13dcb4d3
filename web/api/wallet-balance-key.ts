/** The key of what the player's wallet holds on the chain, in the query cache. */
export const WALLET_BALANCE_KEY = ['mine', 'wallet-balance']
