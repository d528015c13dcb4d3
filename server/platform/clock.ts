/** The source of time. Actions receive it as an argument, so that tests can control it. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
