import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import { getBase58Decoder, getBase58Encoder } from '@solana/kit'
import type { SigningKey } from './signing-wallets.ts'

/** A player with a real key, so that anything a wallet signs can be signed. */
export type TestPlayer = { wallet: string; sign(message: string | Uint8Array): Buffer }

/** What precedes the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410, section 7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** A wallet with a fresh Ed25519 key, or with the key of this seed. */
export function testPlayer(seed: Uint8Array = randomBytes(32)): TestPlayer {
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  const wallet = getBase58Decoder().decode(Buffer.from(x!, 'base64url'))
  return { wallet, sign: (message) => signWith(privateKey, message) }
}

/** The key of a player, for a stand-in of a wallet. */
export const signingKeyOf = ({ wallet, sign }: TestPlayer): SigningKey => ({
  publicKey: Uint8Array.from(getBase58Encoder().encode(wallet)),
  sign: (bytes) => Promise.resolve(sign(bytes)),
})

function signWith(key: KeyObject, message: string | Uint8Array): Buffer {
  return sign(null, typeof message === 'string' ? Buffer.from(message) : message, key)
}
