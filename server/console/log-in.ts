import type { createNonces } from '#server/account/issue-nonce.ts'
import type { TextToSign } from '#server/account/signed-forms/text-to-sign.ts'
import { verifySignedText, type WalletAnswer } from '#server/account/signed-forms/verify-signed-text.ts'
import { type RequestedForm, whatToSign } from '#server/account/signed-forms/what-to-sign.ts'
import { isNonceExpired, useNonce } from '#server/account/use-nonce.ts'
import { walletBytes } from '#server/account/wallet-signature.ts'
import { writeOperatorLog } from '#server/operators/operator-log.ts'
import { findOperator } from '#server/operators/read-operators.ts'
import type { Site } from '#server/platform/site.ts'
import type { ConsoleDeps } from './console-deps.ts'
import { refuseCall } from './refuse.ts'
import { openSession } from './sessions.ts'

/** Who logs in where: the console's own site, and the key of its nonces. */
export type LoginDeps = ConsoleDeps & { site: Site; nonces: ReturnType<typeof createNonces> }

/** What an operator signs to log in. It differs from a player's login in its first line, so neither can be used as the other. */
function consoleLoginText(site: Site, { nonce, wallet }: { nonce: string; wallet: string }): TextToSign {
  const purpose = `Log in to the operators' console of ${site.product} at ${site.host}`
  return { wallet, nonce, purpose, message: `${purpose}\nNonce: ${nonce}\nWallet: ${wallet}` }
}

/** Issues a nonce. It does not say whether the wallet is an operator's. */
export async function requestLogin(
  { clock, nonces, site }: LoginDeps,
  { wallet, form }: { wallet: string; form?: RequestedForm },
) {
  if (!walletBytes(wallet)) refuseCall('malformed', { field: 'wallet', problem: 'is not a wallet address' })
  const nonce = await nonces.issue(wallet, clock.now())
  return whatToSign(site, consoleLoginText(site, { nonce, wallet }), form)
}

/**
 * Verifies a signed login message and opens a session, if the operators' file names the wallet. The nonce is used in the
 * transaction that opens the session: one nonce, one login. Each login of an operator is in the operator log. The
 * attempt of another wallet is in the log of the role only: otherwise anybody could fill the operator log.
 */
export async function logIn(
  { db, clock, log, nonces, site, operators }: LoginDeps,
  { wallet, message, ...answer }: WalletAnswer & { wallet: string; message: string },
) {
  const now = clock.now()
  const nonce = /^Nonce: (.*)$/m.exec(message)?.[1] ?? ''
  const issuedAt = await nonces.issuedAt(wallet, nonce)
  const expected = consoleLoginText(site, { nonce, wallet })
  // Another key is in use since the console was started again: the operator only has to sign once more.
  if (!issuedAt) refuseCall('login_expired')
  if (message !== expected.message) refuseCall('signature_failed')
  if (isNonceExpired(issuedAt, now)) refuseCall('login_expired')
  await verifySignedText(site, expected, answer)
  const operator = findOperator(operators(), wallet, 'view')
  if (!operator) {
    log.warn({ wallet }, 'a wallet that is not an operator’s tried to log in to the console')
    refuseCall('not_an_operator')
  }
  return db.transaction(async (tx) => {
    if (!(await useNonce(tx, { nonce, wallet, issuedAt }))) refuseCall('login_expired')
    const session = openSession(tx, { wallet, now })
    await writeOperatorLog(tx, {
      now,
      who: operator.name,
      command: 'log in',
      arguments: { wallet },
      outcome: 'Logged in.',
    })
    return { ...session, operator }
  })
}
