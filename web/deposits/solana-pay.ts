import type { Cotton } from '#game/cotton.ts'
import { formatInput } from '#web/messages/amount.ts'

type TransferRequest = {
  /** The owner of the token account, from which the wallet derives it. */
  recipient: string
  mint: string
  /** Null lets the player enter it in the wallet. */
  amount: Cotton | null
  label: string
  message: string
}

/**
 * The link of a transfer request (Solana Pay specification, "Transfer Request"). The amount is in whole $COTTON, not in
 * base units. It has no reference: each player has an address of their own, and every transfer to it counts.
 */
export function solanaPayLink({ recipient, mint, amount, label, message }: TransferRequest): string {
  const fields = { amount: formatInput(amount), 'spl-token': mint, label, message }
  // The specification asks for percent-encoding, and URLSearchParams writes a space as a plus sign.
  const query = Object.entries(fields).flatMap(([name, value]) =>
    value === '' ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return `solana:${recipient}?${query.join('&')}`
}
