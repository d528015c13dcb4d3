import { Point } from '@noble/ed25519'
import { walletBytes } from '#server/account/wallet-signature.ts'

/**
 * True for a wallet that may receive payouts. Program addresses (off the curve) have no private key, and anyone can
 * sign for points of small order.
 */
export function isOrdinaryWallet(wallet: string): boolean {
  const bytes = walletBytes(wallet)
  if (!bytes) return false
  try {
    return !Point.fromBytes(bytes, false).isSmallOrder()
  } catch {
    return false
  }
}
