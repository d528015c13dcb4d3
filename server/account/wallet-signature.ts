import { verifyAsync } from '@noble/ed25519'
import { getBase58Encoder } from '@solana/kit'

/** The 32 bytes of a wallet address, or null if the text is not one. */
export function walletBytes(wallet: string): Uint8Array | null {
  try {
    const bytes = Uint8Array.from(getBase58Encoder().encode(wallet))
    return bytes.length === 32 ? bytes : null
  } catch {
    return null
  }
}

/**
 * True if the key of `wallet` signed these bytes. Verification is strict (RFC 8032, not ZIP-215): it rejects small-order
 * keys, non-canonical points and scalars above the group order.
 */
export async function isSignedBy(
  wallet: string,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const key = walletBytes(wallet)
  if (!key || signature.length !== 64) return false
  try {
    return await verifyAsync(signature, message, key, { zip215: false })
  } catch {
    return false
  }
}

/** The bytes of canonical base64, or null for any other text. */
export function canonicalBytes(base64: string): Uint8Array | null {
  const bytes = Buffer.from(base64, 'base64')
  return bytes.toString('base64') === base64 ? bytes : null
}
