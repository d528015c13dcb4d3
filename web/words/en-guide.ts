import { shown } from '#game/cotton.ts'

/** The sentences of the first steps: only newcomers read them. */
export const guideWords = {
  label: 'First steps',
  progress: (step: number, of: number) => `Step ${step} of ${of}: `,
  hide: 'Hide the first steps',
  wallet: {
    title: 'Connect a wallet',
    text: 'It is the key to your farm. You log in with a signature; there is no password, and it costs nothing.',
    local: 'This is a local test world: a test wallet that needs no installation is waiting for you.',
    action: 'Choose a wallet',
  },
  tokens: {
    title: 'Get $COTTON',
    text: (price: number) =>
      `The first picker costs ${shown(price)} $COTTON. Send that much to your deposit address, from any wallet.`,
    action: 'See my deposit address',
    where: 'About the token',
    local: 'The faucet on your profile pours free test tokens into your wallet. They are worth nothing.',
    faucet: 'To the faucet',
  },
  deposit: {
    title: 'Deposit tokens',
    text: (inWallet: number) =>
      `Your wallet holds ${shown(inWallet)} $COTTON. Move some of it into the game, and you can hire.`,
    action: 'Open the deposit box',
  },
  hire: {
    title: 'Hire your first picker',
    text: 'A picker stays on your farm, and its price does not come back. Unspent deposits can always be withdrawn; what pickers earn leaves the game only within a daily budget. No return is promised.',
    action: 'Meet the pickers',
  },
  claim: {
    title: 'Claim your cotton',
    text: 'Your picker is at work. Claim whenever you like: often or rarely, it comes to the same.',
    action: 'To my fields',
  },
} as const
