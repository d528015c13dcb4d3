import { useEffect } from 'react'
import { readLive } from '#contract/console/today.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { pause } from '#web/api/pause.ts'
import { serverClock } from '#web/api/server-clock.ts'
import { createStore, useStore } from '#web/store.ts'
import { call } from './call.ts'
import { invalidate, type Topic } from './queries.ts'
import { session } from './session.ts'

const POLL_MS = 3_000

/** From here on the pages say that they are not up to date. */
const STALE_AFTER_MS = 15_000

export type Live = {
  /** When the console last answered, by the server's clock; null before the first answer. */
  answeredAt: number | null
  /** Whether the last attempt failed. */
  failed: boolean
  review: number
  waitingActs: number
}

const NONE: Live = { answeredAt: null, failed: false, review: 0, waitingActs: 0 }

export const live = createStore<Live>(NONE)

let versions: ConsoleReply<typeof readLive>['versions'] | undefined

/** Polls the versions of all lists while the page is visible, and has what has changed read again. */
export function useLivePolling(): void {
  const { token } = useStore(session)
  useEffect(() => {
    if (token === null) return
    const stopped = new AbortController()
    void poll(stopped.signal)
    return () => {
      stopped.abort()
      versions = undefined
      live.set(NONE)
    }
  }, [token])
}

async function poll(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (document.visibilityState === 'visible') await readVersions(signal)
    await pause(POLL_MS, signal).catch(() => undefined)
  }
}

async function readVersions(signal: AbortSignal): Promise<void> {
  try {
    const { versions: next, review, waitingActs } = await call(readLive, { query: {}, signal })
    const before = versions
    versions = next
    live.set({ answeredAt: serverClock.now().getTime(), failed: false, review, waitingActs })
    if (before) invalidate(topicsOf(next).filter((topic) => before[topic] !== next[topic]))
  } catch {
    if (!signal.aborted) live.set({ ...live.get(), failed: true })
  }
}

const topicsOf = (all: Record<Topic, string>): Topic[] => Object.keys(all) as Topic[]

/** Whether the pages may be out of date, because the console has not answered for a while. */
export const isStale = ({ answeredAt, failed }: Live, now: number): boolean =>
  failed && (answeredAt === null || now - answeredAt > STALE_AFTER_MS)
