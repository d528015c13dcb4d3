/** Where time comes from. Actions get one as an argument, so that a test can hold the world still. */
export type Clock = { now(): Date }

/** The host's clock. */
export const systemClock: Clock = { now: () => new Date() }
