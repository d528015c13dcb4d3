import type { Wallet } from '@wallet-standard/base'
import { createElement, useCallback } from 'react'
import { useNavigate } from 'react-router'
import { setLoginStep, session } from '#web/api/session.ts'
import { lazyPreloadable } from '#web/lazy-preloadable.tsx'
import { paths } from '#web/paths.ts'
import { showToast } from '#web/ui/toast-store.ts'
import { LoginError } from '#web/wallet/login-error.ts'
import { findWallet, PHANTOM, usableWallets, waitForWallet, wallets } from '#web/wallet/wallets.ts'
import { messages } from '#web/messages/en.ts'
import { showAlert } from './alerts.tsx'
import { closeLogin, openLogin, setWaitingFor } from './login-store.ts'

/** Where to get a wallet. Visitors who have one do not load it. */
export const GetWallet = lazyPreloadable(async () => ({
  default: (await import('./get-wallet.tsx')).GetWallet,
}))

/** How long the toast after a login stays (S-66). */
const LOGGED_IN_MS = 5_000

/** The login in progress. */
let login: AbortController | null = null

/** Logs in with this wallet. If that fails, the popup opens again with the reason (S-17). */
export async function logInWith(wallet: Wallet): Promise<void> {
  if (session.get().step === 'idle') closeLogin()
  await logInFromList(wallet)
}

/** Closes the popup. A wallet that has not answered is no longer waited for, and what it answers later is ignored. */
export function cancelLogin(): void {
  closeLogin()
  if (!login || session.get().step === 'verifying') return
  login.abort()
  endLogin()
}

function endLogin(): void {
  login = null
  setWaitingFor(null)
  setLoginStep('idle')
}

/** Logs in with a wallet of the popup's list. The popup stays open, because the wallet may ask in another window. */
export async function logInFromList(wallet: Wallet): Promise<void> {
  if (session.get().step !== 'idle') return
  const { signal } = (login = new AbortController())
  setWaitingFor(wallet.name)
  setLoginStep('connecting')
  // Another tab may log in meanwhile. What this wallet answers then must not end that session.
  const stopWatching = session.subscribe(() => {
    if (session.get().token !== null) cancelLogin()
  })
  try {
    const signing = await import('#web/wallet/log-in.ts')
    if (signal.aborted) return
    await signing.logIn(wallet, signal)
    endLogin()
    closeLogin()
    showToast({ kind: 'success', text: messages.wallet.loggedIn, durationMs: LOGGED_IN_MS })
  } catch (error) {
    if (signal.aborted) return
    endLogin()
    if (error instanceof LoginError) openLogin(error.message, error.hint)
    // The code was not loaded: the connection was lost, or a newer build has replaced its files.
    else openLogin(messages.wallet.loginFailed, messages.errors.notLoaded)
  } finally {
    stopWatching()
  }
}

/**
 * Logs in with Phantom (S-16). Without it, lets the visitor choose a wallet, or shows an alert if there is none. If a wallet
 * is being asked already, opens the popup, where that can be cancelled.
 */
export async function logInWithPhantom(): Promise<void> {
  if (login) return openLogin()
  if (session.get().step !== 'idle') return
  const phantom = findWallet(PHANTOM) ?? (await waitForPhantom())
  if (phantom) return logInWith(phantom)
  if (usableWallets(wallets.get()).length > 0) return openLogin()
  closeLogin()
  const more = await GetWallet.load().then(
    () => createElement(GetWallet),
    () => null,
  )
  await showAlert({ kind: 'warning', text: messages.wallet.noPhantom, more })
  openLogin()
}

/** The wallet button is busy meanwhile. */
async function waitForPhantom(): Promise<Wallet | undefined> {
  setLoginStep('connecting')
  const phantom = await waitForWallet(PHANTOM)
  setLoginStep('idle')
  return phantom
}

/** The action of the wallet button: opens the profile for players, logs in visitors (S-15 to S-17). */
export function useWalletAction(): () => void {
  const navigate = useNavigate()
  return useCallback(() => {
    if (session.get().token !== null) void navigate(paths.profile)
    else void logInWithPhantom()
  }, [navigate])
}
