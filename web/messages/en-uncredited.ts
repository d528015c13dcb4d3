/** The list of receipts that were not credited. */
export const uncreditedMessages = {
  title: 'Not credited',
  intro: 'This reached your deposit address but was not added to your balance.',
  failed: 'The list of uncredited receipts could not be loaded.',
  sol: (amount: string) => `${amount} SOL`,
  otherToken: 'Another token',
  units: (amount: string, mint: string) => `${amount} base units of ${mint}`,
}
