import { useEffect } from 'react'
import { logOut } from '#contract/console/session.ts'
import { useStore } from '#web/store.ts'
import { call } from './call.ts'
import { endSession, session } from './session.ts'

const CHECK_MS = 10_000
const INPUTS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const

/**
 * Ends the session when nobody has used the page for as long as a session may rest. What the page reads by itself is no use
 * of it. A duplicated tab has the same session: only the last of them ends it on the server.
 */
export function useIdleEnd(): void {
  const { token, idleMs } = useStore(session)
  useEffect(() => {
    if (token === null) return
    const left = new AbortController()
    lockShared(token, left.signal)
    let usedAt = Date.now()
    const onInput = (): void => {
      usedAt = Date.now()
    }
    const end = async (): Promise<void> => {
      const isElsewhere = await isOpenElsewhere(token).catch(() => false)
      if (left.signal.aborted) return
      if (!isElsewhere) call(logOut, { body: {} }).catch(() => undefined)
      endSession('idle')
    }
    const timer = setInterval(() => {
      if (Date.now() - usedAt < idleMs) return
      void end()
    }, CHECK_MS)
    for (const input of INPUTS) document.addEventListener(input, onInput, { passive: true, capture: true })
    return () => {
      left.abort()
      clearInterval(timer)
      for (const input of INPUTS) document.removeEventListener(input, onInput, { capture: true })
    }
  }, [token, idleMs])
}

/** The lock that every tab with this session shares. The part of the token in its name is useless without the rest. */
const lockOf = (token: string): string => `console-session-${token.slice(0, 8)}`

// Only secure contexts have locks.
function lockShared(token: string, signal: AbortSignal): void {
  if (!('locks' in navigator)) return
  const untilLeft = async (): Promise<void> => {
    if (signal.aborted) return
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }
  navigator.locks.request(lockOf(token), { mode: 'shared' }, untilLeft).catch(() => undefined)
}

async function isOpenElsewhere(token: string): Promise<boolean> {
  if (!('locks' in navigator)) return false
  const { held: locks = [] } = await navigator.locks.query()
  return locks.filter(({ name }) => name === lockOf(token)).length > 1
}
