import type { Cotton } from '#game/cotton.ts'
import { COTTON_DECIMALS } from '#game/cotton.ts'
import type { Site } from '#server/platform/site.ts'

export type Challenge = { wallet: string; amount: Cotton; nonce: string }

/** The exact words that a wallet signs to withdraw; the server builds them anew and compares them whole. */
export function withdrawalMessage(site: Site, { wallet, amount, nonce }: Challenge): string {
  return [
    `Withdraw from ${site.product} at ${site.host}`,
    `Amount: ${formatAmount(amount)} $COTTON`,
    `Nonce: ${nonce}`,
    `Wallet: ${wallet}`,
  ].join('\n')
}

/** The nonce that a message names, or null. Nothing else is believed of what the caller sends. */
export function extractNonce(message: string): string | null {
  return /^Nonce: ([0-9a-f]{32})$/m.exec(message)?.[1] ?? null
}

/** Every digit of an amount: `1234.5`. */
function formatAmount(amount: Cotton): string {
  const digits = String(amount).padStart(COTTON_DECIMALS + 1, '0')
  const fraction = digits.slice(-COTTON_DECIMALS).replace(/0+$/, '')
  const whole = digits.slice(0, -COTTON_DECIMALS)
  return fraction === '' ? whole : `${whole}.${fraction}`
}
