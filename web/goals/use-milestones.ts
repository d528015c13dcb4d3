import { type QueryClient, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { celebrateMilestones, readMilestones } from '#contract/milestones.ts'
import { CONTINENTS } from '#game/continents.ts'
import { ZERO } from '#game/cotton.ts'
import { type Milestone, type MilestoneFacts, milestoneOf, reachedMilestones } from '#game/milestones.ts'
import { WORKER_TYPES } from '#game/workers.ts'
import { call } from '#web/api/call.ts'
import { complete } from '#web/api/complete.ts'
import { isInDoubt } from '#web/api/is-in-doubt.ts'
import { serverClock } from '#web/api/server-clock.ts'
import { useSession } from '#web/api/session.ts'
import { celebrateOnce } from './celebrations.ts'

/** A milestone that the player has, and since when. */
export type Grant = { milestone: Milestone; grantedAt: string }

export type Milestones = { facts: MilestoneFacts; granted: readonly Grant[] }

const MILESTONES_KEY = ['mine', 'milestones']

/** How often it is read besides the reads after a change, because the player can play in another window. */
const REFRESH_MS = 60_000

const zeros = <Name extends string>(names: readonly Name[]): Record<Name, number> =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>

const EXAMPLE = {
  facts: {
    workers: zeros(WORKER_TYPES),
    available: zeros(WORKER_TYPES),
    harvested: ZERO,
    hasSold: false,
    parcelIds: [''],
    landOf: zeros(CONTINENTS),
    countries: 0,
  },
  granted: [{ code: '', grantedAt: '–' }],
}

/** The player's milestones. Reading them celebrates those that are reached and not granted yet. */
export function useMilestones(): UseQueryResult<Milestones> {
  const { walletAddress } = useSession()
  return useQuery({
    queryKey: [...MILESTONES_KEY, walletAddress],
    queryFn: ({ signal }) => readAndCelebrate(walletAddress ?? '', signal),
    enabled: walletAddress !== null,
    refetchInterval: REFRESH_MS,
  })
}

/** Reads the milestones again after something has happened that may reach one. */
export function refreshMilestones(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: MILESTONES_KEY })
}

/** What players had before a celebration without a response, which may have granted more. */
const grantedBefore = new Map<string, ReadonlySet<string>>()

/** The milestones of this player. Those that are reached and not granted yet are granted and celebrated. */
export async function readAndCelebrate(walletAddress: string, signal: AbortSignal): Promise<Milestones> {
  const { facts, granted } = complete(EXAMPLE, await call(readMilestones, { signal }))
  const board: Milestones = {
    facts: { ...facts, parcelIds: facts.parcelIds.filter(Boolean) },
    granted: granted.flatMap(({ code, grantedAt }) => {
      const milestone = milestoneOf(code)
      return milestone ? [{ milestone, grantedAt }] : []
    }),
  }
  celebrateUnanswered(walletAddress, board)
  const codes = new Set(granted.map(({ code }) => code))
  const isNew = reachedMilestones(board.facts).some(({ code }) => !codes.has(code))
  return isNew ? await celebrateReached(walletAddress, board) : board
}

/** Celebrates what an earlier call has granted without a response. The game grants and names it only once. */
function celebrateUnanswered(walletAddress: string, { granted }: Milestones): void {
  const before = grantedBefore.get(walletAddress)
  if (!before) return
  grantedBefore.delete(walletAddress)
  const fresh = granted.map(({ milestone }) => milestone).filter(({ code }) => !before.has(code))
  celebrateOnce(walletAddress, fresh)
}

/** Without a response the next read celebrates what was granted, and tries again if nothing was. */
async function celebrateReached(walletAddress: string, board: Milestones): Promise<Milestones> {
  try {
    const reply = await call(celebrateMilestones, { body: { walletAddress }, quiet: true })
    const fresh = complete({ granted: [''] }, reply).granted.flatMap((code) => milestoneOf(code) ?? [])
    celebrateOnce(walletAddress, fresh)
    const grantedAt = serverClock.now().toISOString()
    return { ...board, granted: [...board.granted, ...fresh.map((milestone) => ({ milestone, grantedAt }))] }
  } catch (error) {
    if (isInDoubt(error))
      grantedBefore.set(walletAddress, new Set(board.granted.map(({ milestone }) => milestone.code)))
    return board
  }
}
