import { session } from '#web/api/session.ts'
import { createStore } from '#web/store.ts'

/** Whether the login popup is open, and why the last try failed. */
export const loginPopup = createStore<{ open: boolean; error: string | null }>({ open: false, error: null })

let wasOpen = false

export function openLogin(error: string | null = null): void {
  wasOpen = true
  loginPopup.set({ open: true, error })
}

export function closeLogin(): void {
  loginPopup.set({ open: false, error: null })
}

/** The popup that comes by itself: not for a player who is logged in, nor in the middle of a login. */
export function promptLogin(): void {
  const { token, step } = session.get()
  if (token === null && step === 'idle') openLogin()
}

/** The greeting after the start. It comes once: a visitor who has just closed the popup is not asked again. */
export function promptVisitor(): void {
  if (!wasOpen) promptLogin()
}
