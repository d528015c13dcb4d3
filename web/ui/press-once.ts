import { useSyncExternalStore } from 'react'
import { createStore } from '#web/store.ts'

/** How long an action stays closed after its answer: the second press of a double click belongs to the first one. */
const REST_MS = 600

type Closed = { subject: string | undefined; running: boolean }

/** The actions that run or have just ended, by name. */
const closed = createStore<ReadonlyMap<string, Closed>>(new Map())

function set(name: string, value: Closed | null): void {
  const next = new Map(closed.get())
  if (value) next.set(name, value)
  else next.delete(name)
  closed.set(next)
}

/**
 * Starts `act`, unless an action of this name runs or ended less than 600 ms ago. The guard is outside of React,
 * because two clicks in one frame see the same render.
 */
export function pressOnce(name: string, act: () => unknown, subject?: string): void {
  if (closed.get().has(name)) return
  set(name, { subject, running: true })
  const rest = (): void => {
    set(name, { subject, running: false })
    setTimeout(() => set(name, null), REST_MS)
  }
  let result: unknown
  try {
    result = act()
  } catch (error) {
    rest()
    throw error
  }
  // An action reports its own failure; here it only counts that it has ended.
  void Promise.resolve(result).then(rest, rest)
}

export type PressOnce = {
  press: (act: () => unknown) => void
  /** From the press to the answer, in every component that shows this action. */
  running: boolean
  /** Closed although it does not run for this subject: it has just ended, or runs for another one. */
  resting: boolean
}

/**
 * `pressOnce` for a button that shows its state. Actions that move what is under the pointer share one `name` and
 * differ by `subject`; all others have a name each.
 */
export function usePressOnce(name: string, subject?: string): PressOnce {
  const found = useSyncExternalStore(
    closed.subscribe,
    () => closed.get().get(name),
    () => undefined,
  )
  const running = found !== undefined && found.running && found.subject === subject
  return {
    press: (act) => pressOnce(name, act, subject),
    running,
    resting: found !== undefined && !running,
  }
}
