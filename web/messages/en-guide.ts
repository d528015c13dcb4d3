import { type Cotton, formatCotton } from '#game/cotton.ts'
import { formatAmount } from './amount.ts'

/** The first steps, which only new players read. */
export const guideMessages = {
  label: 'First steps',
  progress: (step: number, of: number) => `Step ${step} of ${of}: `,
  hide: 'Hide the first steps',
  showMe: 'Show me',
  wallet: {
    title: 'Connect a wallet',
    text: 'Your wallet is your login. You sign a message: no password, no fee.',
    local: 'Playing on a test server: use our free wallet, nothing to install.',
    action: 'Choose a wallet',
  },
  tokens: {
    title: 'Get $COTTON',
    text: (price: Cotton | null) =>
      `Your first picker costs ${formatCotton(price)} $COTTON. Send at least that much to your deposit address.`,
    action: 'See my deposit address',
    where: 'About the token',
    local: 'Get 1,000,000 free test $COTTON to start your farm.',
  },
  deposit: {
    title: 'Deposit $COTTON',
    text: (inWallet: Cotton) =>
      `Your wallet holds ${formatCotton(inWallet)} $COTTON. Only deposit what you can afford to lose.`,
    local: (inWallet: Cotton) =>
      `Your wallet holds ${formatCotton(inWallet)} $COTTON. Deposit them and you’re ready to hire.`,
    action: (amount: Cotton) => `Deposit ${formatAmount(amount)}`,
  },
  hire: {
    title: 'Hire your first picker',
    text: 'The whole family picks for you, hour after hour. Who comes first?',
    action: 'Meet the pickers',
  },
  claim: {
    title: 'Claim your cotton',
    text: 'Your picker is at work. Claim whenever you like: waiting never costs you anything.',
    action: 'To my farm',
  },
  harvest: {
    title: (amount: Cotton) => `First harvest! +${formatCotton(amount)} $COTTON`,
    text: 'You know the ropes now. Next: another picker, so that your baskets fill faster.',
    action: 'Hire another picker',
    done: 'Got it',
  },
} as const
