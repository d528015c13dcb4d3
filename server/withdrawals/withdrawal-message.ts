import type { Cotton } from '#game/cotton.ts'
import { COTTON_DECIMALS } from '#game/cotton.ts'
import type { Site } from '#server/platform/site.ts'

export type Challenge = { wallet: string; amount: Cotton; nonce: string }

/** The exact message that a wallet signs to withdraw. The server builds it again and compares the whole text. */
export function withdrawalMessage(site: Site, { wallet, amount, nonce }: Challenge): string {
  return [
    `Withdraw from ${site.product} at ${site.host}`,
    `Amount: ${formatAmount(amount)} $COTTON`,
    `Nonce: ${nonce}`,
    `Wallet: ${wallet}`,
  ].join('\n')
}

/** The nonce in a message, or null. The server uses nothing else of the submitted message. */
export function extractNonce(message: string): string | null {
  return /^Nonce: ([0-9a-f]{32})$/m.exec(message)?.[1] ?? null
}

/** An amount without rounding: `1234.5`. */
function formatAmount(amount: Cotton): string {
  const digits = String(amount).padStart(COTTON_DECIMALS + 1, '0')
  const fraction = digits.slice(-COTTON_DECIMALS).replace(/0+$/, '')
  const whole = digits.slice(0, -COTTON_DECIMALS)
  return fraction === '' ? whole : `${whole}.${fraction}`
}
