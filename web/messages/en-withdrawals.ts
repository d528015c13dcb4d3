/** The list of withdrawals and their dialog, beyond the messages of the first load. */
export const withdrawalMessages = {
  waiting: 'Waiting',
  arrived: (moment: string) => `arrived ${moment}`,
  returned: (moment: string) => `returned ${moment}`,
  tokensAreSafe: 'Your tokens are safe: they go to your wallet or back to your balance.',
  needsDeposit:
    'You can withdraw earnings once one of your deposits has been credited. Until then you can spend them in the game.',
}
