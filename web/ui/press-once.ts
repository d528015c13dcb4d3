import { browserStorage } from '#web/browser-storage.ts'
import { WALLET_KEY } from '#web/storage-keys.ts'
import { createStore, useSelected } from '#web/store.ts'

/** How long presses are ignored after an action has ended: a double click counts as one press. */
const COOLDOWN_MS = 600

type PressState = { target: string | undefined; running: boolean }

/** The actions that are running or in their cooldown, by wallet and name. */
const pressStates = createStore<ReadonlyMap<string, PressState>>(new Map())

/** After a change of the wallet the actions of the last player still run. */
const withWallet = (name: string): string => `${browserStorage.getItem(WALLET_KEY)} ${name}`

function setPressState(name: string, value: PressState | null): void {
  const next = new Map(pressStates.get())
  if (value) next.set(name, value)
  else next.delete(name)
  pressStates.set(next)
}

/**
 * Starts `action`, unless one of this name and wallet runs or ended less than 600 ms ago. The guard is outside of React,
 * because two clicks in one frame see the same render.
 */
export function pressOnce(name: string, action: () => unknown, target?: string): void {
  const fullName = withWallet(name)
  if (pressStates.get().has(fullName)) return
  setPressState(fullName, { target, running: true })
  const startCooldown = (): void => {
    setPressState(fullName, { target, running: false })
    setTimeout(() => setPressState(fullName, null), COOLDOWN_MS)
  }
  let result: unknown
  try {
    result = action()
  } catch (error) {
    startCooldown()
    throw error
  }
  // The action itself reports a failure. Here only its end matters.
  void Promise.resolve(result).then(startCooldown, startCooldown)
}

export type PressOnce = {
  press: (action: () => unknown) => void
  /** From the press until the action ends, in every component that shows it. */
  running: boolean
  /** Ignores presses, because the action is in its cooldown or runs for another target. */
  resting: boolean
}

/**
 * `pressOnce` for a button that shows its state. Actions whose result moves other buttons under the pointer share one
 * `name` and differ by `target`. All other actions have their own name.
 */
export function usePressOnce(name: string, target?: string): PressOnce {
  const state = useSelected(pressStates, (states) => states.get(withWallet(name)))
  const running = state !== undefined && state.running && state.target === target
  return {
    press: (action) => pressOnce(name, action, target),
    running,
    resting: state !== undefined && !running,
  }
}

/** Whether an action runs whose name starts with `prefix`. */
export function useIsRunning(prefix: string): boolean {
  return useSelected(pressStates, (states) =>
    [...states].some(([name, { running }]) => running && name.startsWith(withWallet(prefix))),
  )
}
