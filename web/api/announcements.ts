import { createStore, useStore } from '#web/store.ts'
import { useSite } from './use-site.ts'

/** The announcements of the last message; null before the first. They replace those of the first read. */
export const latestAnnouncements = createStore<unknown>(null)

/** What the operator announces now, as it was received. */
export function useAnnouncements(): unknown {
  const site = useSite()
  return useStore(latestAnnouncements) ?? site?.announcements
}
