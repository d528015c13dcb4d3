import type { Wallet } from '@wallet-standard/base'
import { createElement, useCallback } from 'react'
import { useNavigate } from 'react-router'
import { setLoginStep, session } from '#web/api/session.ts'
import { paths } from '#web/paths.ts'
import { showToast } from '#web/ui/toast-store.ts'
import { logIn, LoginError } from '#web/wallet/log-in.ts'
import { findWallet, waitForWallet, PHANTOM } from '#web/wallet/wallets.ts'
import { messages } from '#web/messages/en.ts'
import { showAlert } from './alerts.tsx'
import { GetPhantom } from './get-phantom.tsx'
import { closeLogin, openLogin } from './login-store.ts'

/** How long the toast after a login stays (S-66). */
const LOGGED_IN_MS = 5_000

/** Logs in with this wallet. If that fails, the popup opens again with the reason (S-17). */
export async function logInWith(wallet: Wallet): Promise<void> {
  if (session.get().step !== 'idle') return
  closeLogin()
  try {
    await logIn(wallet)
    showToast({ kind: 'success', text: messages.wallet.loggedIn, durationMs: LOGGED_IN_MS })
  } catch (error) {
    openLogin(error instanceof LoginError ? error.message : messages.wallet.loginFailed)
  }
}

/** Logs in with Phantom, or shows an alert that it is missing (S-16). */
export async function logInWithPhantom(): Promise<void> {
  if (session.get().step !== 'idle') return
  const phantom = findWallet(PHANTOM) ?? (await waitForPhantom())
  if (phantom) return logInWith(phantom)
  closeLogin()
  await showAlert({ kind: 'warning', text: messages.wallet.noPhantom, more: createElement(GetPhantom) })
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
