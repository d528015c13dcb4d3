import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { assert } from '#server/platform/assert.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import { walletBytes } from './wallet-signature.ts'

/** Login nonces that are not stored. A flood of nonce requests uses no memory and invalidates no other nonce. */
export type Nonces = {
  /** Returns a new nonce for this wallet. */
  issue(wallet: string, now: Date): Promise<string>
  /** The time when this game issued this nonce for this wallet, or null if it did not. */
  issuedAt(wallet: string, nonce: string): Promise<Date | null>
}

const RANDOM_BYTES = 16
const TIME_BYTES = 6
const MAC_BYTES = 16
const SIGNED_BYTES = RANDOM_BYTES + TIME_BYTES

/** A nonce in hex: random bytes, the time in milliseconds, and a MAC over both and the wallet. */
const NONCE_PATTERN = new RegExp(`^[0-9a-f]{${(SIGNED_BYTES + MAC_BYTES) * 2}}$`)

const readKey = sql({
  name: 'login-read-key',
  row: rowOf<{ key: Buffer }>(),
  text: 'select key from login_key',
})

/** Issues and verifies nonces with the key that all api processes on a database share. */
export function openNonces(db: Db): Nonces {
  let reading: Promise<Buffer> | null = null
  return createNonces(() => {
    reading ??= readLoginKey(db).catch((error: unknown) => {
      reading = null
      throw error
    })
    return reading
  })
}

/** Issues and verifies nonces with this key. */
export function createNonces(key: () => Promise<Buffer>): Nonces {
  const computeMac = async (wallet: string, payload: Buffer): Promise<Buffer> => {
    const owner = walletBytes(wallet)
    assert(owner, 'a nonce is for a wallet')
    // All parts have fixed lengths, so two different inputs cannot concatenate to the same bytes.
    const hmac = createHmac('sha256', await key())
      .update(owner)
      .update(payload)
    return hmac.digest().subarray(0, MAC_BYTES)
  }
  return {
    async issue(wallet, now) {
      const payload = Buffer.concat([randomBytes(RANDOM_BYTES), Buffer.alloc(TIME_BYTES)])
      payload.writeUIntBE(now.getTime(), RANDOM_BYTES, TIME_BYTES)
      return Buffer.concat([payload, await computeMac(wallet, payload)]).toString('hex')
    },
    async issuedAt(wallet, nonce) {
      if (!NONCE_PATTERN.test(nonce) || !walletBytes(wallet)) return null
      const bytes = Buffer.from(nonce, 'hex')
      const payload = bytes.subarray(0, SIGNED_BYTES)
      if (!timingSafeEqual(await computeMac(wallet, payload), bytes.subarray(SIGNED_BYTES))) return null
      return new Date(payload.readUIntBE(RANDOM_BYTES, TIME_BYTES))
    },
  }
}

async function readLoginKey(db: Db): Promise<Buffer> {
  const [row] = await db.rows(readKey)
  assert(row, 'a migration creates the login key')
  return row.key
}
