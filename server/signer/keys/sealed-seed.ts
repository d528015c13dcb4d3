import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const SALT_BYTES = 16

/** Each guess of the passphrase costs 32 MiB and about 0.1 s. The signer pays this once at each start. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 }

/** Authenticated with the seed, so that no other sealed file can pass as a seed. */
const PURPOSE = Buffer.from('Cotton Farm: seed of the signer')

/** A seed as stored on disk. Fields are base64. */
type Sealed = { cipher: typeof CIPHER; salt: string; nonce: string; tag: string; seed: string }

/** Encrypts a seed with AES-256-GCM under a key that scrypt derives from the passphrase. Returns a line of JSON. */
export function sealSeed(seed: Uint8Array, passphrase: string): string {
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)]
  const cipher = createCipheriv(CIPHER, keyFrom(passphrase, salt), nonce).setAAD(PURPOSE)
  const sealed = Buffer.concat([cipher.update(seed), cipher.final()])
  const parts: Sealed = {
    cipher: CIPHER,
    salt: salt.toString('base64'),
    nonce: nonce.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    seed: sealed.toString('base64'),
  }
  return `${JSON.stringify(parts)}\n`
}

/** Decrypts a sealed seed; null if the passphrase is wrong or the text was changed. */
export function openSeed(text: string, passphrase: string): Uint8Array | null {
  try {
    const parts = JSON.parse(text) as Sealed
    const [salt, nonce, tag, seed] = [parts.salt, parts.nonce, parts.tag, parts.seed].map((part) =>
      Buffer.from(part, 'base64'),
    )
    const cipher = createDecipheriv(CIPHER, keyFrom(passphrase, salt!), nonce!, { authTagLength: 16 })
    cipher.setAAD(PURPOSE).setAuthTag(tag!)
    return Uint8Array.from(Buffer.concat([cipher.update(seed!), cipher.final()]))
  } catch {
    return null
  }
}

/** True for a text that `sealSeed` may have written. */
export const isSealed = (text: string): boolean => text.trimStart().startsWith('{')

const keyFrom = (passphrase: string, salt: Buffer): Buffer => scryptSync(passphrase, salt, KEY_BYTES, SCRYPT)
