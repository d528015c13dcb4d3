import type { Wallet } from '@wallet-standard/base'
import { logIn as submitLogin, logOut as endOnServer, requestLogin } from '#contract/console/session.ts'
import { serverClock } from '#web/api/server-clock.ts'
import { actMessages } from '#web/messages/en-console-acts.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { walletMessages } from '#web/messages/en-wallets.ts'
import { hardwareWallet } from '#web/wallet/hardware-wallet.ts'
import { LoginError } from '#web/wallet/login-error.ts'
import {
  chooseSignMethod,
  formFor,
  mayBeHardware,
  OtherAccountError,
  type SignedText,
  type SignMethod,
  signText,
  type TextToSign,
} from '#web/wallet/sign-text.ts'
import { untilCancelled } from '#web/wallet/until-cancelled.ts'
import { readWalletProblem, type WalletProblem } from '#web/wallet/wallet-problem.ts'
import {
  type Connected,
  connect,
  disconnect,
  findWallet,
  lastWalletName,
  wallets,
} from '#web/wallet/wallets.ts'
import { call } from './call.ts'
import { ConsoleError } from './console-error.ts'
import { endSession, session, startSession } from './session.ts'

/**
 * Logs in with a wallet. Throws a `LoginError` with a sentence, and an error once `cancelled` is aborted. What the wallet
 * answers later is ignored.
 */
export async function logInWith(wallet: Wallet, cancelled: AbortSignal): Promise<void> {
  const connected = await untilCancelled(connectAccount(wallet, cancelled), cancelled)
  const method = findMethod(connected)
  const { address } = connected.account
  try {
    const asked = call(requestLogin, { body: { wallet: address, ...formFor(method) }, signal: cancelled })
    const toSign = await untilCancelled(asked, cancelled)
    const signed = await untilCancelled(sign(connected, { method, text: toSign }), cancelled)
    const body = { wallet: address, message: toSign.message, ...signed }
    const { token, operator, idleAt } = await untilCancelled(call(submitLogin, { body }), cancelled)
    startSession({ token, operator, idleMs: Date.parse(idleAt) - serverClock.now().getTime() })
  } catch (error) {
    if (!(error instanceof ConsoleError)) throw error
    const asks = /^sign(ature|ed)_/.test(error.code) && mayBeHardware(connected, method)
    throw new LoginError(asks ? `${error.message} ${walletMessages.tryHardware}` : error.message)
  }
}

/** Ends the session here and on the server. */
export async function logOut(): Promise<void> {
  const ended = call(endOnServer, { body: {} }).catch(() => undefined)
  endSession('logged-out')
  await Promise.all([ended, disconnect().catch(() => undefined)])
}

/**
 * Connects the wallet of the session. Returns the form in which the server has to prepare a text for it, and a function
 * that has it sign such a text. Both reject with a `LoginError` if the wallet is missing, has another account selected or
 * does not sign.
 */
export async function prepareSigning(cancelled: AbortSignal): Promise<{
  form: ReturnType<typeof formFor>
  sign: (text: TextToSign) => Promise<SignedText>
}> {
  const connected = await untilCancelled(findSessionWallet(cancelled), cancelled)
  const method = findMethod(connected)
  return {
    form: formFor(method),
    sign: (text) => sign(connected, { method, text, texts: actMessages.unsigned }),
  }
}

async function findSessionWallet(cancelled: AbortSignal): Promise<Connected> {
  const wanted = session.get().operator?.wallet
  const { connected } = wallets.get()
  if (connected && connected.account.address === wanted) return connected
  const wallet = findWallet(lastWalletName() ?? '')
  if (!wallet) throw new LoginError(consoleMessages.walletMissing)
  const found = await connectAccount(wallet, cancelled)
  if (found.account.address !== wanted) throw new LoginError(walletMessages.otherSelected)
  return found
}

async function connectAccount(wallet: Wallet, cancelled: AbortSignal): Promise<Connected> {
  const account = await connect(wallet, { silent: false, cancelled }).catch((error: unknown) => {
    throw new LoginError(walletMessages.connect[readWalletProblem(error)])
  })
  if (!account) throw new LoginError(walletMessages.noAccount)
  return { wallet, account }
}

function findMethod(connected: Connected): SignMethod {
  const method = chooseSignMethod(connected, hardwareWallet.get())
  if (!method) throw new LoginError(walletMessages.cannotSign)
  return method
}

type Signing = {
  method: SignMethod
  text: TextToSign
  /** Why the wallet did not sign. */
  texts?: Readonly<Record<WalletProblem, string>>
}

const sign = (
  connected: Connected,
  { method, text, texts = walletMessages.sign }: Signing,
): Promise<SignedText> =>
  signText(connected, method, text).catch((error: unknown) => {
    if (error instanceof OtherAccountError) throw new LoginError(walletMessages.otherAccount)
    const problem = readWalletProblem(error)
    const asks = problem === 'unknown' && mayBeHardware(connected, method)
    throw new LoginError(asks ? `${texts[problem]} ${walletMessages.tryHardware}` : texts[problem])
  })
