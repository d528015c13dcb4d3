import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const SALT_BYTES = 16

/** Costs a guess 32 MiB and a tenth of a second; it is paid once at each start. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 }

/** Bound into the seal, so that no other file of ours can be passed off as a seed. */
const PURPOSE = Buffer.from('Cotton Farm: seed of the signer')

/** A seed as it lies on the disk; base64 parts. */
type Sealed = { cipher: typeof CIPHER; salt: string; nonce: string; tag: string; seed: string }

/** Seals a seed with a passphrase: AES-256-GCM under a key made by scrypt, as a line of JSON. */
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

/** The seed in a sealed text; null where the passphrase is another one, or anything of it was changed. */
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

/** True for a text that `sealSeed` may have made. */
export const isSealed = (text: string): boolean => text.trimStart().startsWith('{')

const keyFrom = (passphrase: string, salt: Buffer): Buffer => scryptSync(passphrase, salt, KEY_BYTES, SCRYPT)
