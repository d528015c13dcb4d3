/** The sentences that explain why a withdrawal waits or was refunded. */
export const WITHDRAWAL_REASONS = {
  large: 'The operator reviews larger withdrawals first.',
  first_withdrawal: 'The operator reviews the first withdrawal of every wallet.',
  new_wallet: 'Your wallet is new here, so the operator reviews this withdrawal first.',
  wallet_pace: 'You requested a lot within 24 hours, so the operator reviews this withdrawal first.',
  world_pace: 'Many withdrawals were requested at once, so the operator reviews this one first.',
  no_deposit:
    'Earnings are paid to wallets that have made a deposit. The operator reviews this withdrawal first.',
  late: 'This withdrawal could not be checked within a day. The operator reviews it first.',
  not_held: 'We need to check our records first. Your tokens are safe.',
  not_signed: 'We need to check our records first. Your tokens are safe.',
  books_differ: 'We need to check our records first. Your tokens are safe.',
  over_budget: 'We need to check our records first. Your tokens are safe.',
  not_approved: 'The operator has to approve this withdrawal again.',
  not_a_wallet: 'This address cannot receive tokens directly. The operator will handle it.',
  invalid_day: 'We need to check our records first. Your tokens are safe.',
  frozen:
    'Your wallet is frozen. Your tokens are safe; this withdrawal is checked again once the operator unfreezes it.',
  treasury_short: 'The treasury is being refilled. Your withdrawal is sent within a minute after that.',
  reserve_unseen:
    'Waiting for a fresh check that every token is on the chain. Your withdrawal is then sent automatically.',
  account_closed:
    'The $COTTON token account of your wallet is closed, and we paid to open it within the last 30 days. Open it again in your wallet and your withdrawal is sent within ten minutes; otherwise it waits until the 30 days are over.',
  account_unusable:
    'The $COTTON token account of your wallet is frozen or belongs to someone else. Your withdrawal is sent within ten minutes after you can use it again.',
  account_opening:
    'Another withdrawal is opening the $COTTON token account of your wallet. This one is sent next.',
  cancelled: 'You cancelled it before it was sent. The tokens are back in your balance.',
  payout_failed: 'The chain rejected the payout. The tokens are back in your balance.',
} as const

export type WithdrawalReason = keyof typeof WITHDRAWAL_REASONS

export const isWithdrawalReason = (code: string): code is WithdrawalReason =>
  Object.hasOwn(WITHDRAWAL_REASONS, code)
