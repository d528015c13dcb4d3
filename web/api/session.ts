import { type Cotton, fromReply, toWire } from '#game/cotton.ts'
import { browserStorage } from '#web/browser-storage.ts'
import { LAST_SEEN_KEY, TOKEN_KEY, USER_KEY, WALLET_KEY } from '#web/storage-keys.ts'
import { createStore, useStore } from '#web/store.ts'

/** The step of the login (spec §4). `ended` is the reason why the session ended. */
export type LoginStep = 'idle' | 'connecting' | 'requesting-nonce' | 'signing' | 'verifying'
export type EndReason = 'logged-out' | 'expired' | 'account-switched'

export type Session = {
  token: string | null
  walletAddress: string | null
  step: LoginStep
  ended: EndReason | null
}

/** The session in prerendered pages, which serve visitors and players. All other sessions are copies. */
const NO_SESSION: Session = { token: null, walletAddress: null, step: 'idle', ended: null }

function readStoredSession(): Session {
  const token = browserStorage.getItem(TOKEN_KEY)
  const walletAddress = browserStorage.getItem(WALLET_KEY)
  return { ...NO_SESSION, ...(token !== null && walletAddress !== null && { token, walletAddress }) }
}

export const session = createStore<Session>(readStoredSession(), NO_SESSION)

// Follows a login or logout in another tab.
if ('window' in globalThis) {
  window.addEventListener('storage', (event) => {
    if (event.key === TOKEN_KEY || event.key === WALLET_KEY || event.key === null)
      session.set(readStoredSession())
  })
  // A page that Back takes out of the browser's cache has missed those events.
  window.addEventListener('pageshow', ({ persisted }) => {
    const stored = readStoredSession()
    if (persisted && stored.token !== session.get().token) session.set(stored)
  })
}

/**
 * The player for the checks before a purchase (S-74, S-104). It also reads the storage, because another program may have
 * removed the address from it, or left only the token, which is not a session.
 */
export function readActingPlayer(): Pick<Session, 'token' | 'walletAddress'> {
  const { token, walletAddress } = session.get()
  return {
    token: token ?? browserStorage.getItem(TOKEN_KEY),
    walletAddress: browserStorage.getItem(WALLET_KEY) === walletAddress ? walletAddress : null,
  }
}

export function setLoginStep(step: LoginStep): void {
  session.set({ ...session.get(), step })
}

export function startSession({ token, walletAddress }: { token: string; walletAddress: string }): void {
  browserStorage.setItem(TOKEN_KEY, token)
  browserStorage.setItem(WALLET_KEY, walletAddress)
  browserStorage.setItem(USER_KEY, JSON.stringify({ walletAddress }))
  session.set({ ...NO_SESSION, token, walletAddress })
}

/** Removes the wallet from the storage. After an expiry the last visit stays, for the summary at the next login. */
export function endSession(reason: EndReason): void {
  const stored = readStoredSession()
  // Another tab has logged in while the browser froze this one. Its session must not end with the old one.
  if (reason !== 'logged-out' && stored.token && stored.token !== session.get().token)
    return session.set(stored)
  for (const key of [TOKEN_KEY, WALLET_KEY, USER_KEY]) browserStorage.removeItem(key)
  if (reason !== 'expired') browserStorage.removeItem(LAST_SEEN_KEY)
  session.set({ ...NO_SESSION, ended: reason })
}

/** Stores the user with the newest balance, so that the next start shows it before the first response. */
export function storeUser(user: { walletAddress: string; creditBalance: Cotton | null }): void {
  if (session.get().walletAddress !== user.walletAddress) return
  const creditBalance = user.creditBalance === null ? null : toWire(user.creditBalance)
  browserStorage.setItem(USER_KEY, JSON.stringify({ ...user, creditBalance }))
}

/** The stored balance of this wallet. The stored user may still be the one before a login in another tab. */
export function readStoredBalance(walletAddress: string): Cotton | undefined {
  try {
    const user = JSON.parse(browserStorage.getItem(USER_KEY) ?? 'null') as Record<string, unknown> | null
    const balance = user?.walletAddress === walletAddress ? user.creditBalance : undefined
    return typeof balance === 'number' ? (fromReply(balance) ?? undefined) : undefined
  } catch {
    return undefined
  }
}

/** `known` is false only in prerendered pages, which serve visitors and players. */
export function useSession(): Session & { loggedIn: boolean; known: boolean } {
  const current = useStore(session)
  return { ...current, loggedIn: current.token !== null, known: current !== NO_SESSION }
}
