import * as z from 'zod/mini'
import { get, post } from './route.ts'
import { Instant, Success } from './values.ts'

export const Session = z.object({
  id: z.string(),
  /** What the browser says it is, like "Chrome on Windows". Anyone can make a browser say anything. */
  device: z.string(),
  /** The network it logged in from, without its last part: 203.0.113.x. Empty if unknown. */
  address: z.string(),
  createdAt: Instant,
  /** To the minute. */
  seenAt: Instant,
  /** Whether it can still be used. */
  active: z.boolean(),
  /** Whether it made this call. */
  current: z.boolean(),
})

/** How many logins the list has at most. */
export const LISTED_SESSIONS = 50

export const readSessions = get('/api/users/sessions', {
  summary:
    'Your 50 newest logins of the last seven days, always with the one that calls. Those that ended stay in the list for three days.',
  auth: 'player',
  reply: z.object({ success: Success, sessions: z.array(Session) }),
})

export const endSession = post('/api/users/sessions/end', {
  summary: 'Logs out one of your sessions.',
  auth: 'player',
  body: z.strictObject({ sessionId: z.uuid() }),
  reply: z.object({ success: Success }),
  refuses: ['session_not_found'],
})

export const endOtherSessions = post('/api/users/sessions/end-others', {
  summary: 'Logs out all of your sessions but this one.',
  auth: 'player',
  body: z.strictObject({}),
  reply: z.object({ success: Success, ended: z.int() }),
})
