import { session, useSession } from '#web/api/session.ts'
import { createStore, useStore } from '#web/store.ts'

type LoginPopupState = {
  open: boolean
  /** Why the last attempt failed, and what the player can do about it. */
  error: string | null
  hint: string | null
  /** The name of the wallet that a login is waiting for. */
  waitingFor: string | null
}

const CLOSED: LoginPopupState = { open: false, error: null, hint: null, waitingFor: null }

export const loginPopup = createStore(CLOSED)

/** Whether the popup may still open by itself after the start. */
const promptIsDue = createStore(true)

export function openLogin(error: string | null = null, hint: string | null = null): void {
  promptIsDue.set(false)
  // Another tab may have logged in while this one showed an alert, for example.
  if (session.get().token !== null) return
  loginPopup.set({ ...loginPopup.get(), open: true, error, hint })
}

export function closeLogin(): void {
  loginPopup.set({ ...loginPopup.get(), open: false, error: null, hint: null })
}

// A login in another tab closes the popup, which would open again at the logout.
session.subscribe(() => {
  if (session.get().token !== null && loginPopup.get().open) closeLogin()
})

/** Sets the wallet that a login waits for, and removes the error of the last one. */
export function setWaitingFor(waitingFor: string | null): void {
  loginPopup.set({ ...loginPopup.get(), error: null, hint: null, waitingFor })
}

/** Opens the popup automatically, but not for a logged-in player or during a login. */
export function promptLogin(): void {
  const { token, step } = session.get()
  if (token === null && step === 'idle') openLogin()
}

/** Opens the popup after the start, unless it was open before: a visitor who closed it is not asked again. */
export function promptVisitor(): void {
  if (promptIsDue.get()) promptLogin()
  promptIsDue.set(false)
}

/** Whether a visitor has the popup before them, or soon will: a page opens no popup of its own until it is closed. */
export function useIsGreeting(): boolean {
  const { open } = useStore(loginPopup)
  const isDue = useStore(promptIsDue)
  const { loggedIn } = useSession()
  return !loggedIn && (open || isDue)
}
