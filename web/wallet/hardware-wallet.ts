import { browserStorage } from '#web/browser-storage.ts'
import { createStore } from '#web/store.ts'

/** Set while the player's keys are on a hardware wallet, which signs transactions only. */
const HARDWARE_KEY = 'hardwareWallet'

/** Whether logins and withdrawals in this browser are signed as a transaction. */
export const hardwareWallet = createStore(browserStorage.getItem(HARDWARE_KEY) !== null, false)

export function setHardwareWallet(isHardware: boolean): void {
  if (isHardware) browserStorage.setItem(HARDWARE_KEY, 'yes')
  else browserStorage.removeItem(HARDWARE_KEY)
  hardwareWallet.set(isHardware)
}
