import { type Cotton, formatCotton } from '#game/cotton.ts'

/** The first steps, which only new players read. */
export const guideMessages = {
  label: 'First steps',
  progress: (step: number, of: number) => `Step ${step} of ${of}: `,
  hide: 'Hide the first steps',
  wallet: {
    title: 'Connect a wallet',
    text: 'Your wallet is your login. You sign a message; there is no password and no fee.',
    local: 'You are on a test server. Use our free test wallet; there is nothing to install.',
    action: 'Choose a wallet',
  },
  tokens: {
    title: 'Get $COTTON',
    text: (price: Cotton | null) =>
      `The first picker costs ${formatCotton(price)} $COTTON. Send at least that much to your deposit address.`,
    action: 'See my deposit address',
    where: 'About the token',
    local: 'Get free test $COTTON on your profile to start your farm. Test tokens have no value.',
    faucet: 'Get free tokens',
  },
  deposit: {
    title: 'Deposit tokens',
    text: (inWallet: Cotton | null) =>
      `Your wallet holds ${formatCotton(inWallet)} $COTTON. Deposit some to hire your first picker.`,
    action: 'Open the deposit box',
  },
  hire: {
    title: 'Hire your first picker',
    text: 'Pickers stay on your farm for good. Purchases are final. You can always withdraw unspent deposits; earnings only up to a daily limit. No return is promised.',
    action: 'Meet the pickers',
  },
  claim: {
    title: 'Claim your cotton',
    text: 'Your picker is at work. Claim whenever you like; waiting costs you nothing.',
    action: 'Go to my fields',
  },
} as const
