import { useEffect, useState } from 'react'
import { type PlayerSession, useSessions } from '#web/api/use-sessions.ts'
import { browserStorage } from '#web/browser-storage.ts'
import { KNOWN_LOGINS_KEY } from '#web/storage-keys.ts'
import { findNewLogins, loginsToRemember, parseKnownLogins } from './known-logins.ts'

const NONE: readonly PlayerSession[] = []

/** The newest login on another device that the player has not dismissed in this browser. */
export function useNewLogin(): { login: PlayerSession | undefined; dismiss: () => void } {
  const { data: logins = NONE } = useSessions()
  const [, setDismissals] = useState(0)
  const known = readKnown()
  const hasUnknown = loginsToRemember(logins, known).length > 0
  useEffect(() => {
    if (hasUnknown) remember(loginsToRemember(logins, readKnown()))
  }, [hasUnknown, logins])
  const [login] = findNewLogins(logins, known)
  const dismiss = (): void => {
    if (login) remember([login])
    setDismissals((count) => count + 1)
  }
  return { login, dismiss }
}

const readKnown = (): readonly string[] => parseKnownLogins(browserStorage.getItem(KNOWN_LOGINS_KEY))

// A browser that several players use remembers the logins of the last ones.
const MAX_REMEMBERED = 200

function remember(logins: readonly PlayerSession[]): void {
  const ids = [...new Set([...logins.map(({ id }) => id), ...readKnown()])].slice(0, MAX_REMEMBERED)
  browserStorage.setItem(KNOWN_LOGINS_KEY, JSON.stringify(ids))
}
