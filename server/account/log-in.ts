import { randomBytes } from 'node:crypto'
import { refuse } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Db, sql } from '#server/platform/db/db.ts'
import type { Sessions } from './sessions.ts'
import { signatureBytes, signedBy, walletBytes } from './wallet-signature.ts'

const NONCE_LIFE_MS = 5 * 60_000

export type LoginDeps = { db: Db; clock: Clock; sessions: Sessions; site: { product: string; host: string } }

const keepNonce = sql(
  'login-keep-nonce',
  `insert into nonces (wallet, nonce, expires_at) values ($1, $2, $3)
   on conflict (wallet) do update set nonce = excluded.nonce, expires_at = excluded.expires_at`,
)
const sweepNonces = sql('login-sweep-nonces', 'delete from nonces where expires_at < $1')
const findNonce = sql('login-find-nonce', 'select nonce, expires_at from nonces where wallet = $1')
const takeNonce = sql(
  'login-take-nonce',
  'delete from nonces where wallet = $1 and nonce = $2 returning wallet',
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

/** Gives a wallet its one live nonce; an older one stops counting. */
export async function requestNonce({ db, clock, site }: LoginDeps, wallet: string) {
  if (!walletBytes(wallet))
    refuse('malformed', { field: 'walletAddress', problem: 'is not a wallet address' })
  const nonce = randomBytes(16).toString('hex')
  const now = clock.now()
  await db.rows(sweepNonces, [now])
  await db.rows(keepNonce, [wallet, nonce, new Date(now.getTime() + NONCE_LIFE_MS)])
  return { nonce, message: loginMessage(site, { nonce, wallet }) }
}

/**
 * The signed message for a session. The server rebuilds the message from its own nonce and compares it whole, so
 * nothing that the caller sends decides what was signed. The nonce goes with the session's row: one nonce, one login.
 */
export async function verifyWallet(
  { db, clock, sessions, site }: LoginDeps,
  { wallet, message, signature }: { wallet: string; message: string; signature: string },
): Promise<string> {
  const now = clock.now()
  const [live] = await db.rows<{ nonce: string; expires_at: Date }>(findNonce, [wallet])
  if (!live || live.expires_at <= now) refuse('login_expired')
  const expected = loginMessage(site, { nonce: live.nonce, wallet })
  const bytes = signatureBytes(signature)
  if (message !== expected || !bytes) refuse('signature_failed')
  if (!(await signedBy(wallet, Buffer.from(expected), bytes))) refuse('signature_failed')
  return db.transaction(async (tx) => {
    const taken = await tx.rows(takeNonce, [wallet, live.nonce])
    if (taken.length === 0) refuse('login_expired')
    await tx.rows(makeUser, [wallet, now])
    return sessions.open(tx, wallet, now)
  })
}
