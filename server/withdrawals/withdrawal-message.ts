import { type Cotton, toDecimal } from '#game/cotton.ts'
import type { TextToSign } from '#server/account/signed-forms/text-to-sign.ts'
import type { Site } from '#server/platform/site.ts'

export type Challenge = { wallet: string; amount: Cotton; nonce: string }

/** The exact message that a wallet signs to withdraw. The server builds it again and compares the whole text. */
export function withdrawalMessage(site: Site, { wallet, amount, nonce }: Challenge): string {
  return [
    `Withdraw from ${site.product} at ${site.host}`,
    `Amount: ${toDecimal(amount)} $COTTON`,
    `Nonce: ${nonce}`,
    `Wallet: ${wallet}`,
  ].join('\n')
}

/** What a wallet signs to withdraw, for every signed form. The purpose names the amount. */
export function withdrawalText(site: Site, challenge: Challenge): TextToSign {
  const { wallet, nonce, amount } = challenge
  const purpose = `Withdraw ${toDecimal(amount)} $COTTON from ${site.product} at ${site.host}`
  return { wallet, nonce, purpose, message: withdrawalMessage(site, challenge) }
}

/** The nonce in a message, or null. The server uses nothing else of the submitted message. */
export function extractNonce(message: string): string | null {
  return /^Nonce: ([0-9a-f]{32})$/m.exec(message)?.[1] ?? null
}
