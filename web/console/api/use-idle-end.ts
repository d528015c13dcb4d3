import { useEffect } from 'react'
import { logOut } from '#contract/console/session.ts'
import { useStore } from '#web/store.ts'
import { call } from './call.ts'
import { endSession, session } from './session.ts'

const CHECK_MS = 10_000
const INPUTS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const

/** Ends the session when nobody has used the page for as long as a session may rest. What the page reads by itself is no use of it. */
export function useIdleEnd(): void {
  const { token, idleMs } = useStore(session)
  useEffect(() => {
    if (token === null) return
    let usedAt = Date.now()
    const onInput = (): void => {
      usedAt = Date.now()
    }
    const timer = setInterval(() => {
      if (Date.now() - usedAt < idleMs) return
      call(logOut, { body: {} }).catch(() => undefined)
      endSession('idle')
    }, CHECK_MS)
    for (const input of INPUTS) document.addEventListener(input, onInput, { passive: true, capture: true })
    return () => {
      clearInterval(timer)
      for (const input of INPUTS) document.removeEventListener(input, onInput, { capture: true })
    }
  }, [token, idleMs])
}
