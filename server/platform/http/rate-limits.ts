import type { RateLimitOptions } from '@fastify/rate-limit'
import type { RateClass } from '#contract/route.ts'

// Calls in ten seconds from one address. A page polls once a second and claims worker by worker.
// A first visit fetches about seventy files, and many players may share an address.
const CALLS_PER_WINDOW: Readonly<Record<RateClass | 'file', number>> = {
  read: 400,
  login: 40,
  act: 300,
  chain: 60,
  file: 4_000,
}

const WINDOW_MS = 10_000

/** The limit of a route by its pace, or of all files together, for each address. */
export function limitOf(pace: RateClass | 'file'): RateLimitOptions {
  return { max: CALLS_PER_WINDOW[pace], timeWindow: WINDOW_MS }
}
