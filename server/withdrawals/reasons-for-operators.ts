import type { WithdrawalReason } from '#contract/withdrawal-reasons.ts'

/** Why a withdrawal waits or came back, in words for whoever decides about it. */
export const REASON_FOR_OPERATORS: Record<WithdrawalReason, string> = {
  large: 'above the amount that goes out unseen',
  first_withdrawal: 'the first withdrawal of this wallet',
  new_wallet: 'the wallet is younger than the setting allows',
  wallet_pace: 'more withdrawals, or a larger sum, of this wallet within 24 hours than the settings allow',
  world_pace:
    'more withdrawals, or a larger sum, approved for all wallets within an hour than the settings allow',
  no_deposit: 'earned credit, and no deposit of this wallet was ever credited',
  late: 'looked at more than a day after the day whose budget it took: the signer was down, or the day is made up',
  not_held: 'NOT PAYABLE: the ledger does not hold what it asks for. Read the audit.',
  unsigned:
    'asked for before signatures were kept: nothing here shows that the wallet itself asked. Ask its player, or reject it.',
  not_signed:
    'NOT PAYABLE: the wallet has not signed for it at this game. Is PUBLIC_URL what it was, and the same for api and signer? Else somebody writes as the api: see the runbook.',
  books_differ: 'NOT PAYABLE: the balances of this wallet are not the sum of its entries. Read the audit.',
  over_budget: 'NOT PAYABLE: above what the pool gives on its day, by the entries. Read the audit.',
  not_a_wallet: 'NOT PAYABLE: no wallet that has a key. Reject it.',
  invalid_day: 'NOT PAYABLE: its day is no day of the calendar. Somebody wrote it by hand: read the audit.',
  treasury_short: 'waits for tokens or SOL in the treasury',
  reserve_unseen: 'waits until the watcher has seen within a minute that the reserve covers what is owed',
  account_closed:
    'the wallet closed its token account, which we paid for within 30 days: it opens it itself, or waits',
  account_unusable: 'the token account of the wallet is frozen or belongs to somebody else',
  account_opening: 'another payout opens the token account of the wallet: this one follows',
  payout_failed: 'the chain refused the payout',
}
