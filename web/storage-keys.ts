// Keys of the browser's local storage, and an event about them. The build inlines them into `head-script.ts`, which imports nothing.

/** The session. The spec prescribes the names (S-51). */
export const TOKEN_KEY = 'token'
export const WALLET_KEY = 'walletAddress'
export const USER_KEY = 'user'

/** Why the first steps are no longer shown. */
export const FIRST_STEPS_KEY = 'firstSteps'

/** The time of day and the motion that the player has chosen; nothing by default. */
export const TIME_KEY = 'timeOfDay'
export const MOTION_KEY = 'motion'

/** The player who last viewed the game in this browser, and when. */
export const LAST_SEEN_KEY = 'lastSeen'

/** The logins that a player has seen in this browser. */
export const KNOWN_LOGINS_KEY = 'knownLogins'

/** The announcements that a reader has dismissed in this browser. */
export const DISMISSED_KEY = 'dismissed'

/** The event on the document after a change of `TIME_KEY` or `MOTION_KEY`. Its detail is what the browser did not store. */
export const SETTINGS_CHANGED = 'settings-changed'
