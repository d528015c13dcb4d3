import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { getBase58Decoder, getBase58Encoder } from '@solana/kit'
import type { SigningKey } from './signing-wallets.ts'

/** A player with a real key, so that anything a wallet signs can be signed. */
export type TestPlayer = { wallet: string; sign(message: string | Uint8Array): Buffer }

/** A wallet with a fresh Ed25519 key. */
export function testPlayer(): TestPlayer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const wallet = getBase58Decoder().decode(Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url'))
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
