/** The source of time. Actions receive it as an argument, so that tests can control it. */
export type Clock = { now(): Date }

/** The system clock. */
export const systemClock: Clock = { now: () => new Date() }
