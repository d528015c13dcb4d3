import { useQuery } from '@tanstack/react-query'
import type { ReplyOf } from '#contract/route.ts'
import { LISTED_SESSIONS, readSessions } from '#contract/sessions.ts'
import { call } from './call.ts'
import { complete } from './complete.ts'
import { useSession } from './session.ts'

export const SESSIONS_KEY = ['mine', 'sessions']

/** How often an open page looks for new logins. */
const REFRESH_MS = 30_000

export type PlayerSession = ReplyOf<typeof readSessions>['sessions'][number]

const SESSION: PlayerSession = {
  id: '',
  // Not empty, because a login whose device or address is unknown is listed too.
  device: '–',
  address: '–',
  createdAt: '–',
  seenAt: '–',
  active: false,
  current: false,
}

/** Whether the player may be logged in on another device. A full list may lack older logins. */
export const mayHaveOthers = (logins: readonly Pick<PlayerSession, 'active' | 'current'>[]): boolean =>
  logins.length >= LISTED_SESSIONS || logins.some(({ active, current }) => active && !current)

/** The player's own login and the newest others, newest first. */
export function useSessions() {
  const { walletAddress } = useSession()
  return useQuery({
    queryKey: [...SESSIONS_KEY, walletAddress],
    queryFn: async ({ signal }) =>
      complete({ sessions: [SESSION] }, await call(readSessions, { signal })).sessions,
    enabled: walletAddress !== null,
    refetchInterval: REFRESH_MS,
  })
}
