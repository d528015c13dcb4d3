/** What the list of withdrawals and their dialog say beyond the first load's words. */
export const withdrawalWords = {
  waiting: 'Waiting',
  landed: (moment: string) => `arrived ${moment}`,
  cameBack: (moment: string) => `came back ${moment}`,
  whatIsHeld: 'What it holds is safe: it leaves to your wallet, or comes back to your balance.',
  needsDeposit:
    'Your earned credit can leave once a deposit of yours has been credited; until then you can spend it in the game.',
}
