// What is remembered in this browser, by name. `head-script.ts`, which stands alone, has them written into it.

/** Of a session; the names are the spec's (S-51). */
export const TOKEN_KEY = 'token'
export const WALLET_KEY = 'walletAddress'
export const USER_KEY = 'user'

/** Why the first steps are not shown any more. */
export const FIRST_STEPS_KEY = 'firstSteps'

/** Whose page was last in sight here, and when. */
export const LAST_SEEN_KEY = 'lastSeen'
