/** What the list of withdrawals and their dialog say beyond the first load's words. */
export const withdrawalWords = {
  waiting: 'Waiting',
  landed: (moment: string) => `In your wallet since ${moment}`,
  cameBack: (moment: string) => `Back in your balance since ${moment}`,
  whatIsHeld: 'What it holds is safe: it leaves to your wallet, or comes back to your balance.',
  needsDeposit:
    'Your earned credit can leave once a deposit of yours has been credited; until then you can spend it in the game.',
}
