/** Why a wallet did not do what it was asked, as far as it says so. */
export type WalletProblem = 'declined' | 'closed' | 'unknown'

/**
 * Reads the error of a wallet. The Wallet Standard defines no errors: most wallets use code 4001 (EIP-1193) when the
 * player declines, some only a sentence.
 */
export function readWalletProblem(error: unknown): WalletProblem {
  if (typeof error !== 'object' || error === null) return 'unknown'
  const read = (name: string): string => String(Reflect.get(error, name) ?? '')
  const text = `${read('name')} ${read('message')}`
  if (/closed/i.test(text)) return 'closed'
  if (read('code') === '4001' || /reject|declin|denied|cancel/i.test(text)) return 'declined'
  return 'unknown'
}
