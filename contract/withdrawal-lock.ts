import * as z from 'zod/mini'
import { get, post } from './route.ts'
import { Instant, Success } from './values.ts'

/** The locks that a player can set, in hours. */
export const LOCK_HOURS = [24, 72, 168] as const

export const WithdrawalLock = z.object({
  /** How long unlocking takes; 0 while there is no lock. */
  hours: z.int(),
  /** What follows and when, once you have asked to unlock or to shorten: 0 hours is no lock. */
  next: z.nullable(z.object({ hours: z.int(), at: Instant })),
})

export const readWithdrawalLock = get('/api/users/withdrawal-lock', {
  summary: 'Your lock on withdrawals.',
  auth: 'player',
  reply: z.object({ success: Success, lock: WithdrawalLock }),
})

export const setWithdrawalLock = post('/api/users/withdrawal-lock', {
  summary:
    'Locks withdrawals. A stronger lock holds at once. A weaker one, or none (0 hours), holds after the hours of the present lock.',
  auth: 'player',
  keyed: true,
  body: z.strictObject({ hours: z.literal([0, ...LOCK_HOURS]) }),
  reply: z.object({ success: Success, lock: WithdrawalLock }),
  refuses: ['wallet_frozen'],
})
