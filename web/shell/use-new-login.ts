import { useEffect, useState } from 'react'
import { type PlayerSession, useSessions } from '#web/api/use-sessions.ts'
import { browserStorage } from '#web/browser-storage.ts'
import { KNOWN_LOGINS_KEY } from '#web/storage-keys.ts'
import { findNewLogins, isFirstVisit, parseKnownLogins } from './known-logins.ts'

/** The newest login on another device that the player has not dismissed in this browser. */
export function useNewLogin(): { login: PlayerSession | undefined; dismiss: () => void } {
  const { data: logins } = useSessions()
  const [, setDismissals] = useState(0)
  const known = readKnown()
  const isNew = logins !== undefined && isFirstVisit(logins, known)
  useEffect(() => {
    if (isNew) remember(logins)
  }, [isNew, logins])
  const dismiss = (): void => {
    remember(logins ?? [])
    setDismissals((count) => count + 1)
  }
  return { login: findNewLogins(logins ?? [], known)[0], dismiss }
}

const readKnown = (): readonly string[] => parseKnownLogins(browserStorage.getItem(KNOWN_LOGINS_KEY))

// A browser that several players use remembers the logins of the last ones.
const MAX_REMEMBERED = 200

function remember(logins: readonly PlayerSession[]): void {
  const ids = [...new Set([...logins.map(({ id }) => id), ...readKnown()])].slice(0, MAX_REMEMBERED)
  browserStorage.setItem(KNOWN_LOGINS_KEY, JSON.stringify(ids))
}
