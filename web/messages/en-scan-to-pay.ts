/** A deposit by a QR code. What a wallet app shows are `label` and `message`. */
export const scanToPayMessages = {
  code: 'QR code of a payment to your deposit address',
  label: 'Cotton Farm',
  message: 'Deposit $COTTON',
  amount: 'Amount in the code',
  open: 'Pay with a wallet app',
  text: 'Scan it with a wallet app. Token, address and amount are filled in; you confirm there.',
} as const
