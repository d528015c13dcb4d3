import { SIGNATURE_FAILED } from '#contract/refusal-sentences.ts'

/** Choosing a wallet, and what to do when one does not sign. */
export const walletMessages = {
  choose: 'Choose your wallet',
  lastUsed: 'Last used',
  confirm: (name: string) => `Confirm in ${name}…`,
  hardware: 'My wallet is a hardware wallet (Ledger)',
  hardwareText: 'You will sign a transaction that costs nothing and is never sent.',

  openIn: 'Open this page in your wallet app',
  openInApp: (name: string) => `Open this page in ${name}`,
  install: 'New to wallets? They are free.',
  getApp: (name: string) => `Get the ${name} wallet`,

  connectFailed: 'Failed to connect wallet.',
  connect: {
    declined: 'You declined in your wallet. Nothing has changed; try again when you are ready.',
    closed: 'The wallet’s window was closed before you answered. Try again.',
    unknown: 'Unlock your wallet and try again.',
  },
  noAccount: 'Your wallet shared no account. Unlock it, choose an account and try again.',
  nonceFailed: 'Failed to get nonce',
  signFailed: 'Failed to sign message with wallet',
  sign: {
    declined: 'You declined to sign. Signing costs nothing and moves no tokens.',
    closed: 'The wallet’s window was closed before you signed.',
    unknown: 'Unlock your wallet and try again.',
  },
  tryHardware: 'Is this account on a hardware wallet? Turn on “hardware wallet” when you log in.',
  unknownSending:
    'Your wallet did not say whether it sent the deposit. Check your wallet before you try again: if it was sent, it will be credited automatically.',
  noSigning: 'Wallet not connected or does not support signing',
  otherSelected:
    'Your wallet has another account selected. Please switch it back to the one you logged in with.',
  otherAccount: 'Your wallet signed with another account. Select one account in it and try again.',
  cannotSign: 'This account can only be watched. Choose another one in your wallet.',
  verifyFailed: SIGNATURE_FAILED,
  verify: 'Your wallet may have changed the text. Try again, or use another wallet.',
} as const
