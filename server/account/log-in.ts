import { refuse } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Db, sql } from '#server/platform/db/db.ts'
import type { Nonces } from './issue-nonce.ts'
import type { Sessions } from './sessions.ts'
import { signatureBytes, isSignedBy, walletBytes } from './wallet-signature.ts'

const NONCE_LIFETIME_MS = 5 * 60_000

// How far the clocks of two api processes may be apart. A used nonce is stored for longer than any of them accepts it.
const MAX_CLOCK_SKEW_MS = 60_000
const USED_NONCE_LIFETIME_MS = 2 * NONCE_LIFETIME_MS

export type LoginDeps = {
  db: Db
  clock: Clock
  sessions: Sessions
  nonces: Nonces
  site: { product: string; host: string }
}

const useNonce = sql(
  'login-use-nonce',
  `insert into nonces (nonce, wallet, expires_at) values ($1, $2, $3) on conflict do nothing returning nonce`,
)
const makeUser = sql(
  'login-make-user',
  'insert into users (wallet, created_at) values ($1, $2) on conflict do nothing',
)

/** The three lines that a wallet signs to log in. The title names the host, so a page elsewhere cannot borrow it. */
export function loginMessage(
  site: LoginDeps['site'],
  { nonce, wallet }: { nonce: string; wallet: string },
): string {
  return `Sign in to ${site.product} at ${site.host}\nNonce: ${nonce}\nWallet: ${wallet}`
}

/** Gives a nonce for a wallet. Several live at once, so a stranger who asks for more of them disturbs nobody. */
export async function requestNonce({ clock, nonces, site }: LoginDeps, wallet: string) {
  if (!walletBytes(wallet))
    refuse('malformed', { field: 'walletAddress', problem: 'is not a wallet address' })
  const nonce = await nonces.issue(wallet, clock.now())
  return { nonce, message: loginMessage(site, { nonce, wallet }) }
}

/**
 * The signed message for a session. Of the caller's message only the nonce is read; the server builds the message around
 * it and compares it whole, so nothing else that the caller sends decides what was signed. The nonce is recorded as used
 * with the session's row: one nonce, one login.
 */
export async function verifyWallet(
  { db, clock, sessions, nonces, site }: LoginDeps,
  { wallet, message, signature }: { wallet: string; message: string; signature: string },
): Promise<string> {
  const now = clock.now()
  const nonce = /^Nonce: (.*)$/m.exec(message)?.[1] ?? ''
  const issuedAt = await nonces.issuedAt(wallet, nonce)
  const expected = loginMessage(site, { nonce, wallet })
  const bytes = signatureBytes(signature)
  if (!issuedAt || message !== expected || !bytes) refuse('signature_failed')
  const ageMs = now.getTime() - issuedAt.getTime()
  if (ageMs >= NONCE_LIFETIME_MS || ageMs < -MAX_CLOCK_SKEW_MS) refuse('login_expired')
  if (!(await isSignedBy(wallet, Buffer.from(expected), bytes))) refuse('signature_failed')
  return db.transaction(async (tx) => {
    const used = await tx.rows(useNonce, [
      nonce,
      wallet,
      new Date(issuedAt.getTime() + USED_NONCE_LIFETIME_MS),
    ])
    if (used.length === 0) refuse('login_expired')
    await tx.rows(makeUser, [wallet, now])
    return sessions.open(tx, wallet, now)
  })
}
