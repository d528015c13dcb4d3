import { type Cotton, formatCotton } from '#game/cotton.ts'

/** The withdrawal dialog and the list of withdrawals. */
export const withdrawalMessages = {
  title: 'Withdraw',
  confirmTitle: 'Confirm withdrawal of your tokens.',
  hint: 'Once requested, withdrawals can take up to 10 minutes until processed by our systems.',
  toWallet: 'To wallet',
  balance: 'Balance',
  now: 'Withdrawable now',
  amount: 'Amount to withdraw',
  max: 'Max',
  confirm: 'Confirm',
  cancel: 'Cancel',
  asking: 'Preparing…',
  signing: 'Sign it in your wallet…',
  sending: 'Requesting…',
  split: (deposited: Cotton | null, earned: Cotton, earnedToday: Cotton) =>
    `You can withdraw ${formatCotton(deposited)} $COTTON, plus up to ${formatCotton(earnedToday)} of your ${formatCotton(earned)} in earnings today.`,
  resets: (time: string) => `The limit resets on ${time}.`,
  badAmount: 'Enter an amount above 0, like 1250.5, with at most 6 decimals.',
  tooSmall: (min: string) => `The smallest withdrawal is ${min} $COTTON.`,
  tooMuch: (max: string) => `Right now you can withdraw at most ${max} $COTTON.`,
  paused: 'Withdrawals are paused. Your balance is safe.',
  pausedReason: (reason: string, since: string) => `Reason, since ${since}: ${reason}`,
  limitNotice:
    'You can always withdraw unspent deposits. Earnings can be withdrawn up to a daily limit, which may be zero.',
  signFailed: 'The wallet did not sign the withdrawal. Nothing was requested.',
  failed: 'The withdrawal was not requested. Check your connection, then reload the page.',
  submitted: 'Withdrawal submitted successfully',
  loadFailed: 'Your withdrawal limit could not be loaded.',
  list: 'Withdrawals',
  states: {
    requested: 'Requested',
    review: 'Waiting for review',
    signed: 'Signed',
    sent: 'On its way',
    finalized: 'In your wallet',
    refunded: 'Refunded',
  },
  transaction: 'Transaction',
  listFailed: 'Your withdrawals could not be loaded.',
  waiting: 'Waiting',
  arrived: (moment: string) => `arrived ${moment}`,
  returned: (moment: string) => `returned ${moment}`,
  tokensAreSafe: 'Your tokens are safe: they go to your wallet or back to your balance.',
  needsDeposit:
    'You can withdraw earnings once one of your deposits has been credited. Until then you can spend them in the game.',
}
