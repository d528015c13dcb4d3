import { normalizeIP, type RateLimitOptions } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'
import type { RateClass } from '#contract/route.ts'
import { systemClock } from '#server/platform/clock.ts'

// Requests in ten seconds from one address. A page polls once a second and claims one worker at a time.
// A first visit fetches up to sixty files, and many players may share an address.
const CALLS_PER_WINDOW: Readonly<Record<RateClass | 'file', number>> = {
  read: 400,
  // A school or a mobile carrier has one address. Failed logins are slowed down in server/account/delay-failures.ts.
  login: 400,
  act: 300,
  chain: 60,
  file: 4_000,
}

const WINDOW_MS = 10_000

/** The limit of each address for a route of this class, or for all files together. */
export function limitOf(pace: RateClass | 'file'): RateLimitOptions {
  return { max: CALLS_PER_WINDOW[pace], timeWindow: WINDOW_MS }
}

/**
 * Returns a function that names callers by their addresses. The library ends a window by the clock: if that is set back, the
 * windows would last until the time comes that it had shown. So all names change then, and every caller begins a new window.
 */
export function createCallerNames(): (request: FastifyRequest) => string {
  let lastMs = 0
  let timesSetBack = 0
  return ({ ip }) => {
    const nowMs = systemClock.now().getTime()
    if (nowMs < lastMs) timesSetBack += 1
    lastMs = nowMs
    return `${normalizeIP(ip)} ${timesSetBack}`
  }
}
