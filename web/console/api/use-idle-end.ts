import { useEffect, useState } from 'react'
import { logOut } from '#contract/console/session.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { useStore } from '#web/store.ts'
import { dismissToast, showToast } from '#web/ui/toast-store.ts'
import { call } from './call.ts'
import { endSession, session } from './session.ts'

export const CHECK_MS = 10_000
/** How long before the end a toast says so. */
export const WARNING_MS = 2 * 60_000
/** A click alone comes from a screen reader, which presses without a key or a pointer. */
const INPUTS = ['pointerdown', 'keydown', 'wheel', 'touchstart', 'click'] as const

/**
 * Ends the session when nobody has used the page for as long as a session may rest, and warns before. What the page reads by
 * itself is no use of it. A duplicated tab has the same session: only the last of them ends it on the server.
 */
export function useIdleEnd(): void {
  const { token, idleMs } = useStore(session)
  const [endsSoon, setEndsSoon] = useState(false)
  useEffect(() => {
    if (token === null) return
    const left = new AbortController()
    lockShared(token, left.signal)
    let usedAt = Date.now()
    const onInput = ({ type }: Event): void => {
      usedAt = Date.now()
      // A toast that went when a finger comes down would let the tap through to what is below.
      if (type !== 'pointerdown' && type !== 'touchstart') setEndsSoon(false)
    }
    const end = async (): Promise<void> => {
      const isElsewhere = await isOpenElsewhere(token).catch(() => false)
      if (left.signal.aborted) return
      if (!isElsewhere) call(logOut, { body: {} }).catch(() => undefined)
      endSession('idle')
    }
    const timer = setInterval(() => {
      const unusedMs = Date.now() - usedAt
      setEndsSoon(isEndingSoon({ unusedMs, idleMs }))
      if (unusedMs < idleMs) return
      void end()
    }, CHECK_MS)
    for (const input of INPUTS) document.addEventListener(input, onInput, { passive: true, capture: true })
    return () => {
      left.abort()
      clearInterval(timer)
      for (const input of INPUTS) document.removeEventListener(input, onInput, { capture: true })
    }
  }, [token, idleMs])
  useEffect(() => {
    if (!endsSoon) return
    const id = showToast({ kind: 'warning', ...consoleMessages.endsSoon, durationMs: WARNING_MS })
    return () => dismissToast(id)
  }, [endsSoon])
}

/** Whether it is time to warn: whoever reads slowly or has typed something can go on (WCAG 2.2.1). */
export const isEndingSoon = ({ unusedMs, idleMs }: { unusedMs: number; idleMs: number }): boolean =>
  unusedMs >= idleMs - WARNING_MS

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
