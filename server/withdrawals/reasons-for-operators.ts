import type { WithdrawalReason } from '#contract/withdrawal-reasons.ts'

/** Why a withdrawal waits or was refunded, for operators. */
export const REASON_FOR_OPERATORS: Record<WithdrawalReason, string> = {
  large: 'above the amount that is paid without review',
  first_withdrawal: 'the first withdrawal of this wallet',
  new_wallet: 'the wallet is newer than the settings allow',
  wallet_pace: 'this wallet exceeds the number or sum of withdrawals within 24 hours that the settings allow',
  world_pace:
    'all wallets together exceed the number or sum of approved withdrawals within an hour that the settings allow',
  no_deposit: 'includes earned credit, and no deposit of this wallet has ever been credited',
  late: 'checked more than a day after the day whose budget it used: the signer was down, the wallet was frozen, or the day is forged',
  not_held: 'NOT PAYABLE: the ledger does not hold this amount for it. Run the audit.',
  not_signed:
    'NOT PAYABLE: it carries no valid signature of the wallet for this game. Check that PUBLIC_URL is unchanged and the same for api and signer. If it is, someone writes to the database as the api: see the runbook.',
  books_differ:
    'NOT PAYABLE: the balances of this wallet do not equal the sum of its entries. Run the audit.',
  over_budget: 'NOT PAYABLE: exceeds the reward budget of its day, computed from the entries. Run the audit.',
  not_approved:
    'it was marked as approved, but neither the policy nor enough operators have approved it: an approval has expired, its operator was removed, or someone writes to the database. Read the log, and approve it again if it is right.',
  not_a_wallet: 'NOT PAYABLE: the address has no private key. Reject it.',
  invalid_day: 'NOT PAYABLE: its day is not a calendar date. Someone wrote it by hand. Run the audit.',
  frozen: 'the wallet is frozen: it waits until the wallet is unfrozen, and is then reviewed again',
  treasury_short: 'waits for tokens or SOL in the treasury',
  reserve_unseen: 'waits for a recent reserve check by which no shortage is confirmed',
  account_closed:
    'the wallet closed the token account that we paid for within the last 30 days: its player reopens it, or it waits',
  account_unusable: 'the token account of the wallet is frozen or belongs to someone else',
  account_opening: 'another payout is opening the token account of the wallet; this one follows',
  cancelled: 'its player cancelled it before it was signed',
  payout_failed: 'the chain rejected the payout',
}
