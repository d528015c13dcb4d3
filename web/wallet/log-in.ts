import type { Wallet } from '@wallet-standard/base'
import { logout, requestNonce, verifyWallet } from '#contract/account.ts'
import { call } from '#web/api/call.ts'
import { getErrorMessage } from '#web/api/call-error.ts'
import { endSession, setLoginStep, session, startSession } from '#web/api/session.ts'
import { messages } from '#web/messages/en.ts'
import { base64 } from './bytes.ts'
import {
  canSignMessages,
  connect,
  disconnect,
  findWallet,
  lastWalletName,
  signMessage,
  wallets,
} from './wallets.ts'

/** A failed login, with the message for the player (spec §8). */
export class LoginError extends Error {}

const orLoginError = <T>(step: Promise<T>, toMessage: (error: unknown) => string): Promise<T> =>
  step.catch((error: unknown) => {
    throw new LoginError(toMessage(error))
  })

/** Connects, gets a nonce, signs it and gets a token (S-63). If a step fails, throws LoginError and stays logged out. */
export async function logIn(wallet: Wallet): Promise<void> {
  try {
    setLoginStep('connecting')
    const account = await orLoginError(
      connect(wallet, { silent: false }),
      () => messages.wallet.connectFailed,
    )
    if (!account) throw new LoginError(messages.wallet.connectFailed)
    if (!canSignMessages(wallet)) throw new LoginError(messages.wallet.cannotSign)
    const walletAddress = account.address

    setLoginStep('requesting-nonce')
    const { message } = await orLoginError(call(requestNonce, { body: { walletAddress } }), (error) =>
      getErrorMessage(error, messages.wallet.nonceFailed),
    )

    setLoginStep('signing')
    const signed = await orLoginError(signMessage(message), () => messages.wallet.signFailed)
    if (!signed) throw new LoginError(messages.wallet.cannotSign)

    setLoginStep('verifying')
    const body = { signature: base64(signed), message, walletAddress }
    const { token } = await orLoginError(call(verifyWallet, { body }), (error) =>
      getErrorMessage(error, messages.wallet.verifyFailed),
    )
    if (!token) throw new LoginError(messages.wallet.loginFailed)
    startSession({ token, walletAddress })
  } catch (error) {
    setLoginStep('idle')
    throw error instanceof LoginError ? error : new LoginError(messages.wallet.loginFailed)
  }
}

/** Ends the session here and on the server, and disconnects the wallet (S-64). */
export async function logOut(): Promise<void> {
  const loggedOut = call(logout, {}).catch(() => undefined)
  endSession('logged-out')
  await Promise.all([loggedOut, disconnect().catch(() => undefined)])
}

/**
 * Connects the wallet of the session by its stored name, unless it is connected already (S-65).
 * Throws LoginError if the wallet is missing, refuses, or has another account selected.
 */
export async function ensureSigningWallet(): Promise<void> {
  const { walletAddress } = session.get()
  if (wallets.get().connected?.account.address === walletAddress) return
  const wallet = findWallet(lastWalletName() ?? '')
  if (!wallet) throw new LoginError(messages.wallet.cannotSign)
  const account = await orLoginError(connect(wallet, { silent: false }), () => messages.wallet.connectFailed)
  if (account?.address !== walletAddress) throw new LoginError(messages.wallet.otherAccount)
}

/** Reconnects the wallet of a restored session without a prompt, as soon as the wallet has registered itself. */
export function reconnectSilently(): () => void {
  let attempted: string | null = null
  const attempt = (): void => {
    const name = lastWalletName()
    if (session.get().token === null || wallets.get().connected || !name || attempted === name) return
    const wallet = findWallet(name)
    if (!wallet) return
    attempted = name
    connect(wallet, { silent: true }).catch(() => undefined)
  }
  attempt()
  return wallets.subscribe(attempt)
}

/** Ends the session when the player switches to another account in the wallet. */
export function watchAccount(): () => void {
  return wallets.subscribe(() => {
    const { connected } = wallets.get()
    const { walletAddress, token, step } = session.get()
    if (!connected || token === null || step !== 'idle') return
    if (connected.account.address === walletAddress) return
    // Also end the session on the server, because nobody else will.
    call(logout, {}).catch(() => undefined)
    endSession('account-switched')
  })
}
