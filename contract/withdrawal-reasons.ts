/** Why a withdrawal waits or came back, and what its player reads of it. */
export const WITHDRAWAL_REASONS = {
  large: 'Larger withdrawals are looked at by the operator first.',
  first_withdrawal: 'The first withdrawal of a wallet is looked at by the operator first.',
  new_wallet: 'Your wallet is new here, so the operator looks at this first.',
  wallet_pace: 'You have asked for much within a day, so the operator looks at this one first.',
  world_pace: 'Very many withdrawals are asked for at once, so the operator looks at this one first.',
  no_deposit:
    'Earned credit leaves to wallets that have made a deposit before. The operator looks at this first.',
  late: 'This waited for more than a day before it could be looked at. The operator looks at it first.',
  unsigned:
    'You asked for this before signatures were kept with withdrawals, so the operator looks at it first.',
  not_held: 'Our books need a look first. Your tokens are safe.',
  not_signed: 'Our books need a look first. Your tokens are safe.',
  books_differ: 'Our books need a look first. Your tokens are safe.',
  over_budget: 'Our books need a look first. Your tokens are safe.',
  not_a_wallet: 'This wallet cannot receive tokens by itself. The operator takes care of it.',
  invalid_day: 'Our books need a look first. Your tokens are safe.',
  treasury_short: 'The treasury is being refilled. Your withdrawal goes out within a minute after that.',
  reserve_unseen:
    'Waiting until it is seen on the chain again that every token is there. Your withdrawal goes out by itself then.',
  account_closed:
    'The $COTTON account of your wallet is closed, and we have paid for opening it within the last 30 days. Open it again in your wallet and your withdrawal goes out within ten minutes; otherwise it waits until the 30 days are over.',
  account_unusable:
    'The $COTTON account of your wallet is frozen or belongs to somebody else. Your withdrawal goes out within ten minutes after it is yours again.',
  account_opening:
    'Another withdrawal is opening the $COTTON account of your wallet. This one goes out next.',
  payout_failed: 'The chain refused the payout. The tokens are back in your balance.',
} as const

export type WithdrawalReason = keyof typeof WITHDRAWAL_REASONS

export const isWithdrawalReason = (code: string): code is WithdrawalReason =>
  Object.hasOwn(WITHDRAWAL_REASONS, code)
