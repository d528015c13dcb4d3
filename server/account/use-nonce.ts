import { sql, type Tx } from '#server/platform/db/db.ts'

const NONCE_LIFETIME_MS = 5 * 60_000

// The largest accepted clock difference between processes. A used nonce is stored for longer than any process accepts it.
const MAX_CLOCK_SKEW_MS = 60_000
const USED_NONCE_LIFETIME_MS = 2 * NONCE_LIFETIME_MS

const insertUsed = sql({
  name: 'login-use-nonce',
  params: { nonce: 'text', wallet: 'text', expiresAt: 'timestamptz' },
  text: ({ nonce, wallet, expiresAt }) =>
    `insert into nonces (nonce, wallet, expires_at) values (${nonce}, ${wallet}, ${expiresAt})
     on conflict do nothing returning nonce`,
})

/** Whether a login nonce is too old, or was issued by a clock that is too far ahead. */
export function isNonceExpired(issuedAt: Date, now: Date): boolean {
  const ageMs = now.getTime() - issuedAt.getTime()
  return ageMs >= NONCE_LIFETIME_MS || ageMs < -MAX_CLOCK_SKEW_MS
}

/** Marks a nonce as used, in the transaction of its login. False if it was used before. */
export async function useNonce(
  tx: Tx,
  { nonce, wallet, issuedAt }: { nonce: string; wallet: string; issuedAt: Date },
): Promise<boolean> {
  const expiresAt = new Date(issuedAt.getTime() + USED_NONCE_LIFETIME_MS)
  return (await tx.rows(insertUsed, { nonce, wallet, expiresAt })).length > 0
}
