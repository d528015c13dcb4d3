import type { Wallet } from '@wallet-standard/base'
import { requestNonce, verifyWallet } from '#contract/account.ts'
import { call } from '#web/api/call.ts'
import { CallError, getErrorMessage } from '#web/api/call-error.ts'
import { setLoginStep, session, startSession } from '#web/api/session.ts'
import { walletMessages } from '#web/messages/en-wallets.ts'
import { messages } from '#web/messages/en.ts'
import { hardwareWallet } from './hardware-wallet.ts'
import { LoginError } from './login-error.ts'
import {
  chooseSignMethod,
  formFor,
  mayBeHardware,
  OtherAccountError,
  type SignedText,
  type SignMethod,
  signText,
  type TextToSign,
} from './sign-text.ts'
import { untilCancelled } from './until-cancelled.ts'
import { readWalletProblem } from './wallet-problem.ts'
import { type Connected, connect, findWallet, lastWalletName, wallets } from './wallets.ts'

const orLoginError = <T>(
  step: Promise<T>,
  toMessage: (error: unknown) => string,
  toHint: (error: unknown) => string | null = () => null,
): Promise<T> =>
  step.catch((error: unknown) => {
    throw new LoginError(toMessage(error), toHint(error))
  })

/**
 * Connects, gets the text of a login, has it signed and gets a token (S-63). Throws LoginError and stays logged out if a
 * step fails, or if `cancelled` is aborted before the signature is sent to the server.
 */
export async function logIn(wallet: Wallet, cancelled: AbortSignal): Promise<void> {
  try {
    const connected = await untilCancelled(connectAccount(wallet, cancelled), cancelled)
    const walletAddress = connected.account.address
    const method = findSignMethod(connected)

    setLoginStep('requesting-nonce')
    const asked = call(requestNonce, { body: { walletAddress, ...formFor(method) } })
    const toSign = await orLoginError(
      untilCancelled(asked, cancelled),
      (error) => getErrorMessage(error, walletMessages.nonceFailed),
      hintForCall,
    )

    setLoginStep('signing')
    const signed = await orLoginError(
      untilCancelled(signText(connected, method, toSign), cancelled),
      () => walletMessages.signFailed,
      (error) => hintForSigning(error, connected, method),
    )

    setLoginStep('verifying')
    const { message } = toSign
    const { token } = await orLoginError(
      call(verifyWallet, { body: { ...signed, message, walletAddress } }),
      (error) => getErrorMessage(error, walletMessages.verifyFailed),
      (error) => hintForVerifying(error, connected, method),
    )
    if (!token) throw new LoginError(messages.wallet.loginFailed)
    startSession({ token, walletAddress })
  } catch (error) {
    throw error instanceof LoginError ? error : new LoginError(messages.wallet.loginFailed)
  }
}

async function connectAccount(wallet: Wallet, cancelled: AbortSignal): Promise<Connected> {
  const account = await orLoginError(
    connect(wallet, { silent: false, cancelled }),
    () => walletMessages.connectFailed,
    (error) => walletMessages.connect[readWalletProblem(error)],
  )
  if (!account) throw new LoginError(walletMessages.connectFailed, walletMessages.noAccount)
  return { wallet, account }
}

function findSignMethod(connected: Connected): SignMethod {
  const method = chooseSignMethod(connected, hardwareWallet.get())
  if (!method) throw new LoginError(walletMessages.noSigning, walletMessages.cannotSign)
  return method
}

function hintForSigning(error: unknown, connected: Connected, method: SignMethod): string {
  if (error instanceof OtherAccountError) return walletMessages.otherAccount
  const problem = readWalletProblem(error)
  if (problem === 'unknown' && mayBeHardware(connected, method)) return walletMessages.tryHardware
  return walletMessages.sign[problem]
}

/** Why there was no answer. The message names the failed step only (S-101). */
const hintForCall = (error: unknown): string | null =>
  error instanceof CallError && !error.hasMessage ? error.message : null

function hintForVerifying(error: unknown, connected: Connected, method: SignMethod): string | null {
  if (!(error instanceof CallError) || !/^sign(ature|ed)_/.test(error.code)) return hintForCall(error)
  if (!mayBeHardware(connected, method)) return walletMessages.verify
  return `${walletMessages.verify} ${walletMessages.tryHardware}`
}

/**
 * Connects the wallet of the session by its stored name, unless it is connected already (S-65).
 * Throws LoginError if the wallet is missing, refuses, or has another account selected.
 */
export async function ensureSigningWallet(cancelled: AbortSignal): Promise<Connected> {
  const { walletAddress } = session.get()
  const { connected } = wallets.get()
  if (connected?.account.address === walletAddress) return connected
  const wallet = findWallet(lastWalletName() ?? '')
  if (!wallet) throw new LoginError(walletMessages.noSigning)
  const found = await connectAccount(wallet, cancelled)
  if (found.account.address !== walletAddress) throw new LoginError(walletMessages.otherSelected)
  return found
}

/**
 * Has the wallet of the session sign a text that `ask` gets from the server. Throws LoginError with `failed` if it
 * does not sign, and an error once `cancelled` is aborted. A signature that arrives later is discarded.
 */
export async function signForSession(
  ask: (form: ReturnType<typeof formFor>) => Promise<TextToSign>,
  { failed, onSigning, cancelled }: { failed: string; onSigning: () => void; cancelled: AbortSignal },
): Promise<SignedText & { message: string }> {
  const connected = await untilCancelled(ensureSigningWallet(cancelled), cancelled)
  const method = findSignMethod(connected)
  const toSign = await ask(formFor(method))
  cancelled.throwIfAborted()
  onSigning()
  const signed = await orLoginError(
    untilCancelled(signText(connected, method, toSign), cancelled),
    (error) => `${failed} ${hintForSigning(error, connected, method)}`,
  )
  return { ...signed, message: toSign.message }
}
