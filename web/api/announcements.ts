import { createStore, useStore } from '#web/store.ts'
import { complete } from './complete.ts'
import { useSite } from './use-site.ts'

export type Announcement = { id: string; text: string; until: string }

const EXAMPLE: Announcement = { id: '', text: '', until: '' }

const latest = createStore<readonly Announcement[] | null>(null)

/** Applies the announcements of a message, which replace those of the first read. */
export function applyAnnouncements(data: unknown): void {
  latest.set(complete([EXAMPLE], data))
}

/** What the operator announces now. */
export function useAnnouncements(): readonly Announcement[] {
  const site = useSite()
  return complete([EXAMPLE], useStore(latest) ?? site?.announcements)
}
