/** What the list of things that arrived and were not credited says. */
export const uncreditedWords = {
  title: 'Not credited',
  intro: 'This reached your deposit address and was not added to your balance.',
  failed: 'What arrived and was not credited could not be loaded.',
  sol: (amount: string) => `${amount} SOL`,
  otherToken: 'Another token',
  units: (amount: string, mint: string) => `${amount} of the smallest units of ${mint}`,
}
