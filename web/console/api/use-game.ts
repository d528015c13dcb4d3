import { useQuery } from '@tanstack/react-query'
import { readGame } from '#contract/console/session.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { call } from './call.ts'

/** The game that this console belongs to; undefined until it has been read. */
export const useGame = (): ConsoleReply<typeof readGame> | undefined =>
  useQuery({
    queryKey: [readGame.path],
    queryFn: () => call(readGame, { query: {} }),
    staleTime: Number.POSITIVE_INFINITY,
  }).data
