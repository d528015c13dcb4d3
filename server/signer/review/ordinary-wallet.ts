import { Point } from '@noble/ed25519'
import { walletBytes } from '#server/account/wallet-signature.ts'

/**
 * True where a payout may go: a wallet's own key. Program addresses (off the curve) have no key that could ever sign,
 * and anybody can sign for points of small order.
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
