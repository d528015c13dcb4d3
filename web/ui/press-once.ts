import { useSyncExternalStore } from 'react'
import { createStore } from '#web/store.ts'

/** How long an action stays closed after its answer: the second press of a double click belongs to the first one. */
const COOLDOWN_MS = 600

type PressState = { target: string | undefined; running: boolean }

/** The actions that run or have just ended, by name. */
const pressStates = createStore<ReadonlyMap<string, PressState>>(new Map())

function setPressState(name: string, value: PressState | null): void {
  const next = new Map(pressStates.get())
  if (value) next.set(name, value)
  else next.delete(name)
  pressStates.set(next)
}

/**
 * Starts `action`, unless an action of this name runs or ended less than 600 ms ago. The guard is outside of React,
 * because two clicks in one frame see the same render.
 */
export function pressOnce(name: string, action: () => unknown, target?: string): void {
  if (pressStates.get().has(name)) return
  setPressState(name, { target, running: true })
  const startCooldown = (): void => {
    setPressState(name, { target, running: false })
    setTimeout(() => setPressState(name, null), COOLDOWN_MS)
  }
  let result: unknown
  try {
    result = action()
  } catch (error) {
    startCooldown()
    throw error
  }
  // An action reports its own failure; here it only counts that it has ended.
  void Promise.resolve(result).then(startCooldown, startCooldown)
}

export type PressOnce = {
  press: (action: () => unknown) => void
  /** From the press to the answer, in every component that shows this action. */
  running: boolean
  /** Closed although it does not run for this subject: it has just ended, or runs for another one. */
  resting: boolean
}

/**
 * `pressOnce` for a button that shows its state. Actions that move what is under the pointer share one `name` and
 * differ by `target`; all others have a name each.
 */
export function usePressOnce(name: string, target?: string): PressOnce {
  const found = useSyncExternalStore(
    pressStates.subscribe,
    () => pressStates.get().get(name),
    () => undefined,
  )
  const running = found !== undefined && found.running && found.target === target
  return {
    press: (action) => pressOnce(name, action, target),
    running,
    resting: found !== undefined && !running,
  }
}
