/** The sentences of the page of terms: apart, because the first page of all needs none of them. */
export const termsWords = {
  page: 'Terms and risks',
  sub: 'In plain words',
  parts: [
    {
      title: 'It is a game',
      text: 'You spend in-game credit called $COTTON on pickers. Pickers generate more credit over time. Nothing here is an investment, and no return is promised.',
    },
    {
      title: 'What you deposit',
      text: 'Deposited tokens count one for one. As long as you have not spent them you can withdraw them again, to the wallet you log in with and to no other.',
    },
    {
      title: 'What you earn',
      text: 'Earned credit can be spent in the game at once. It can be withdrawn only within a daily budget that comes from what players spent. The budget can be zero, and it is shared: first come, first served.',
    },
    {
      title: 'What you spend',
      text: 'A purchase is final. Pickers and land cannot be given back for tokens.',
    },
    {
      title: 'What can go wrong',
      text: 'Tokens can lose their value. Chains can halt. Software has bugs. Play only with what you can afford to lose.',
    },
    {
      title: 'We never ask first',
      text: 'Nobody from this game writes to you first, and nobody needs your seed phrase or private key.',
    },
  ],
} as const
