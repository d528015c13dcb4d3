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

/** A login that stopped, with the sentence for the player (spec §8). */
export class LoginError extends Error {}

const orLoginError = <T>(step: Promise<T>, toMessage: (error: unknown) => string): Promise<T> =>
  step.catch((error: unknown) => {
    throw new LoginError(toMessage(error))
  })

/** Connect, nonce, signature, token (S-63). Throws LoginStopped, and leaves the player logged out, where a step fails. */
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
  const ended = call(logout, {}).catch(() => undefined)
  endSession('logged-out')
  await Promise.all([ended, disconnect().catch(() => undefined)])
}

/**
 * The wallet that signs for the session: connected already, or connected now by its stored name (S-65).
 * Throws LoginStopped where it is missing, refuses, or has another account selected.
 */
export async function ensureSigningWallet(): Promise<void> {
  const { walletAddress } = session.get()
  if (wallets.get().connected?.account.address === walletAddress) return
  const wallet = findWallet(lastWalletName() ?? '')
  if (!wallet) throw new LoginError(messages.wallet.cannotSign)
  const account = await orLoginError(connect(wallet, { silent: false }), () => messages.wallet.connectFailed)
  if (account?.address !== walletAddress) throw new LoginError(messages.wallet.otherAccount)
}

/** Reconnects without a question, as soon as the wallet of a restored session has registered itself. */
export function reconnectSilently(): () => void {
  let tried: string | null = null
  const attempt = (): void => {
    const name = lastWalletName()
    if (session.get().token === null || wallets.get().connected || !name || tried === name) return
    const wallet = findWallet(name)
    if (!wallet) return
    tried = name
    connect(wallet, { silent: true }).catch(() => undefined)
  }
  attempt()
  return wallets.subscribe(attempt)
}

/** Another account in the wallet means another player: the session of the first one ends. */
export function watchAccount(): () => void {
  return wallets.subscribe(() => {
    const { connected } = wallets.get()
    const { walletAddress, token, step } = session.get()
    if (!connected || token === null || step !== 'idle') return
    if (connected.account.address === walletAddress) return
    // The first account's session ends on the server too: nobody is there any more who could end it.
    call(logout, {}).catch(() => undefined)
    endSession('account-switched')
  })
}
