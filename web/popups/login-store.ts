import { session } from '#web/api/session.ts'
import { createStore } from '#web/store.ts'

/** Whether the login popup is open, and why the last attempt failed. */
export const loginPopup = createStore<{ open: boolean; error: string | null }>({ open: false, error: null })

let wasOpen = false

export function openLogin(error: string | null = null): void {
  wasOpen = true
  loginPopup.set({ open: true, error })
}

export function closeLogin(): void {
  loginPopup.set({ open: false, error: null })
}

/** Opens the popup automatically, but not for a logged-in player or during a login. */
export function promptLogin(): void {
  const { token, step } = session.get()
  if (token === null && step === 'idle') openLogin()
}

/** Opens the popup after the start, unless it was open before: a visitor who closed it is not asked again. */
export function promptVisitor(): void {
  if (!wasOpen) promptLogin()
}
