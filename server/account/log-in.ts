import { refuse } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Db, sql } from '#server/platform/db/db.ts'
import { repeatUntilKnown } from '#server/platform/db/repeat-until-known.ts'
import type { Client } from '#server/platform/http/serve.ts'
import type { Site } from '#server/platform/site.ts'
import type { Nonces } from './issue-nonce.ts'
import { createToken } from './session-token.ts'
import type { Sessions } from './sessions.ts'
import type { TextToSign } from './signed-forms/text-to-sign.ts'
import { verifySignedText, type WalletAnswer } from './signed-forms/verify-signed-text.ts'
import { type RequestedForm, whatToSign } from './signed-forms/what-to-sign.ts'
import { isNonceExpired, useNonce } from './use-nonce.ts'
import { walletBytes } from './wallet-signature.ts'

export type LoginDeps = {
  db: Db
  clock: Clock
  sessions: Sessions
  nonces: Nonces
  site: Site
}

const createUser = sql({
  name: 'login-create-user',
  params: { wallet: 'text', now: 'timestamptz' },
  text: ({ wallet, now }) =>
    `insert into users (wallet, created_at) values (${wallet}, ${now}) on conflict do nothing`,
})

/** The three lines that a wallet signs to log in. They name the host, so a signature made for another page is useless. */
export function loginText(site: Site, { nonce, wallet }: { nonce: string; wallet: string }): TextToSign {
  const purpose = `Sign in to ${site.product} at ${site.host}`
  return { wallet, nonce, purpose, message: `${purpose}\nNonce: ${nonce}\nWallet: ${wallet}` }
}

/** Issues a nonce for a wallet. Several are valid at once, so another person's request does not invalidate a login. */
export async function requestNonce(
  { clock, nonces, site }: LoginDeps,
  { wallet, form }: { wallet: string; form?: RequestedForm },
) {
  if (!walletBytes(wallet))
    refuse('malformed', { field: 'walletAddress', problem: 'is not a wallet address' })
  const nonce = await nonces.issue(wallet, clock.now())
  return { nonce, ...whatToSign(site, loginText(site, { nonce, wallet }), form) }
}

/**
 * Verifies a signed login message, opens a session and returns its token. The server reads only the nonce from the
 * caller's message. It builds the expected message and requires an exact match, so the caller cannot change what was
 * signed. The nonce is marked as used in the transaction that opens the session: one nonce, one login.
 */
export async function verifyWallet(
  { db, clock, sessions, nonces, site }: LoginDeps,
  { wallet, message, client, ...answer }: WalletAnswer & { wallet: string; message: string; client?: Client },
): Promise<string> {
  const now = clock.now()
  const nonce = /^Nonce: (.*)$/m.exec(message)?.[1] ?? ''
  const issuedAt = await nonces.issuedAt(wallet, nonce)
  const expected = loginText(site, { nonce, wallet })
  if (!issuedAt || message !== expected.message) refuse('signature_failed')
  if (isNonceExpired(issuedAt, now)) refuse('login_expired')
  await verifySignedText(site, expected, answer)
  const token = createToken()
  const logIn = () =>
    db.transaction(async (tx) => {
      if (!(await useNonce(tx, { nonce, wallet, issuedAt }))) {
        // A connection that broke at the commit: this login has used the nonce itself.
        if (await sessions.isOpen(tx, token)) return
        refuse('login_expired')
      }
      tx.send(createUser, { wallet, now })
      sessions.open(tx, { token, wallet, now, ...(client && { client }) })
    })
  await repeatUntilKnown(logIn)
  return token
}
