import type { RateLimitOptions } from '@fastify/rate-limit'
import type { Pace } from '#contract/route.ts'

// Calls in ten seconds from one address. A page polls once a second and claims worker by worker.
const CALLS: Readonly<Record<Pace, number>> = { read: 400, login: 40, act: 300, chain: 60 }

const WINDOW_MS = 10_000

/** The limit of a route by its pace, for each address. */
export function limitOf(pace: Pace): RateLimitOptions {
  return { max: CALLS[pace], timeWindow: WINDOW_MS }
}
