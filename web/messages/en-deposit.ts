import { type Cotton, formatCotton } from '#game/cotton.ts'
import type { WorkerType } from '#game/workers.ts'
import { formatAmount } from './amount.ts'
import { PICKER_PLURALS } from './picker-plurals.ts'

/** Deposits and free test tokens. Those that the specification fixes appear verbatim. */
export const depositMessages = {
  title: 'Deposit',
  inWallet: 'In your wallet',
  inGame: 'In the game',
  walletUnknown: 'Your wallet’s balance cannot be read right now. You can still enter an amount.',
  walletEmpty: 'Your wallet has no $COTTON yet. Send some to it, or deposit from another wallet below.',
  quick: 'Quick amounts',
  quickPickers: (count: number, { name, workerType }: { name: string; workerType: WorkerType }) =>
    `${count} ${count === 1 ? name : PICKER_PLURALS[workerType]}`,
  max: 'Max',
  amount: 'Amount to deposit',
  send: (amount: Cotton | null) =>
    amount === null ? 'Deposit from wallet' : `Deposit ${formatAmount(amount)} $COTTON`,
  reading: 'Reading your wallet…',
  risk: 'Only deposit what you can afford to lose. Unspent deposits can be withdrawn at any time.',

  steps: {
    preparing: 'Preparing…',
    signing: 'Sign it in your wallet…',
    sending: 'Sending…',
    waiting: 'Confirming…',
  },
  cancel: 'Cancel',
  progress: 'Progress of your deposit',
  progressSteps: { signing: 'Sign', sending: 'Send', waiting: 'Confirm', arrived: 'In the game' },
  waiting: (amount: Cotton) =>
    `${formatAmount(amount)} $COTTON are on their way. They will be added once confirmed, usually within seconds.`,
  slow: 'Still confirming. We will credit your deposit automatically; you can leave this page.',
  lost: 'This deposit is no longer on its way. If its tokens are still in your wallet, it was not sent: you can try again. Otherwise they are in your balance, or will be credited automatically.',
  failedTitle: 'Deposit',
  failed: 'The deposit was not sent. Please try again.',
  cancelled: 'You cancelled the deposit. Nothing was sent.',
  notLoaded: 'The deposit was not sent. Check your connection, then reload the page.',
  signFailed: 'The wallet did not sign the deposit. Nothing was sent.',
  unknownResult:
    'There was no response, so we cannot say whether the deposit was sent. Check your wallet before you try again: if it was sent, it will be credited automatically.',
  badAmount: 'Enter an amount above 0, like 1250.5, with at most 6 decimals.',
  tooMuch: (max: string) => `Your wallet holds only ${max} $COTTON.`,

  arrived: (amount: Cotton | null) => `${formatAmount(amount)} $COTTON arrived`,
  credited: (amount: Cotton | null, balance: Cotton | null) =>
    `Successfully deposited ${formatAmount(amount)} tokens! New balance: ${formatCotton(balance)}`,
  creditedTitle: 'Deposit received',
  hireFirst: 'Hire your first picker',
  hireMore: 'Hire pickers',
  depositMore: 'Deposit more',

  otherWallet: 'Send from another wallet',
  sendTo: 'Send tokens to this address:',
  only: 'Only send $COTTON tokens',
  showQr: 'Show QR code',
  checkHint: 'Sent tokens and don’t see them? Press Check Deposits.',

  none: 'No new deposits found. Try again later.',
  noneTitle: 'No new deposits',
  pendingTitle: 'Deposit on its way',
  pending: (amount: string) =>
    `${amount} $COTTON have arrived on the chain. They will be added once confirmed.`,
  checkFailed: 'We couldn’t check for deposits. Please try again.',

  testTokens: {
    title: 'Test tokens',
    text: 'You are on a test server. Get 1,000,000 free test $COTTON to start your farm. Test tokens have no value.',
    request: 'Get test tokens',
    more: 'Get more test tokens',
    requesting: 'Sending…',
    inWallet: 'Your wallet holds test $COTTON. Deposit some and you’re ready to hire.',
    failed: 'We couldn’t send test tokens. Please try again.',
    open: 'Deposit',
  },
} as const
