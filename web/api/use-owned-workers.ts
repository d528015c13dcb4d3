import { type QueryClient, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { type OwnedWorker as OwnedWorkerSchema, readOwnedWorkers } from '#contract/workers.ts'
import { type Cotton, ZERO } from '#game/cotton.ts'
import { WORKERS, type WorkerType } from '#game/workers.ts'
import type * as z from 'zod/mini'
import type { Amounts } from './amounts.ts'
import { call } from './call.ts'
import { complete, UNKNOWN } from './complete.ts'
import { serverClock } from './server-clock.ts'
import { useSession } from './session.ts'

export type OwnedWorker = Amounts<z.output<typeof OwnedWorkerSchema>, Cotton>

export const OWNED_WORKERS_KEY = ['mine', 'workers']

/** How often the farm is read, because the player can hire and claim in another window. */
const REFRESH_MS = 30_000

/**
 * The player's workers. Each has the instant of its reply, from which the farm computes the rest. Without `refresh` they
 * are read once, and again only after an invalidation.
 */
export function useOwnedWorkers({ refresh = true } = {}): UseQueryResult<readonly OwnedWorker[]> {
  const { walletAddress } = useSession()
  return useQuery({
    queryKey: [...OWNED_WORKERS_KEY, walletAddress],
    queryFn: async ({ signal }): Promise<readonly OwnedWorker[]> => {
      try {
        return await readAllWorkers(signal)
      } catch (error) {
        // The page shows its own message; this one is for the console (S-102).
        // oxlint-disable-next-line no-console
        if (!signal.aborted) console.warn('Failed to fetch owned workers', error)
        throw error
      }
    },
    enabled: walletAddress !== null,
    refetchInterval: refresh ? REFRESH_MS : false,
    // Every reply has a new instant, so no worker equals the previous one and comparing them is wasted work.
    structuralSharing: false,
  })
}

/** Reads all pages. */
export async function readAllWorkers(signal: AbortSignal): Promise<readonly OwnedWorker[]> {
  const all: OwnedWorker[] = []
  let after: string | undefined
  do {
    const reply = await call(readOwnedWorkers, { query: { after }, signal })
    all.push(...parseOwnedWorkers(reply))
    after = reply.next ?? undefined
  } while (after !== undefined)
  return all
}

/** The reply may be a plain list (S-88). Fields that a worker lacks come from its type and the current time. */
export function parseOwnedWorkers(reply: unknown): readonly OwnedWorker[] {
  const now = serverClock.now().toISOString()
  const example: OwnedWorker = {
    workerId: '',
    workerType: '' as WorkerType,
    totalGeneratedTokens: ZERO,
    claimedGeneratedTokens: ZERO,
    unclaimedTokens: ZERO,
    generationRate: UNKNOWN,
    purchaseDate: now,
    lastTokenUpdate: now,
  }
  const { workers } = complete({ workers: [example] }, Array.isArray(reply) ? { workers: reply } : reply)
  return workers
    .filter(({ workerType }) => Object.hasOwn(WORKERS, workerType))
    .map((worker) => {
      const { workerType, generationRate } = worker
      const ratePerHour = Number.isNaN(generationRate) ? WORKERS[workerType].ratePerHour : generationRate
      return { ...worker, generationRate: ratePerHour }
    })
}

/** Adds a worker that this wallet has just hired to those that are known, until they are read again. */
export function addOwnedWorker(
  client: QueryClient,
  walletAddress: string | null,
  worker: Pick<OwnedWorker, 'workerId' | 'workerType'>,
): void {
  const [hired] = parseOwnedWorkers([worker])
  client.setQueryData<readonly OwnedWorker[]>([...OWNED_WORKERS_KEY, walletAddress], (workers) =>
    workers && hired && workers.every(({ workerId }) => workerId !== hired.workerId)
      ? [...workers, hired]
      : workers,
  )
}
