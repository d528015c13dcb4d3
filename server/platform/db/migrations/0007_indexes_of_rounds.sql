-- The signer asks whether the ledger has released a withdrawal: at its review, its approval and its payout.
create index journals_releasing on journals (wallet, (detail ->> 'withdrawalId'))
  where kind in ('refund', 'cancellation', 'settlement');
-- What a wallet has withdrawn within a day, and what the signer has approved for all wallets within an hour. Both are summed at
-- each review, so the sums read the indexes only, and nothing that was cancelled.
create index withdrawals_judged_of_wallet on withdrawals (wallet, judged_at) include (deposited, earned, id)
  where state <> 'refunded';
create index withdrawals_approved on withdrawals (judged_at) include (deposited, earned, id)
  where state in ('approved', 'signed', 'sent', 'finalized');
-- What withdrawals of a day have taken from its budget. It is summed at each review, approval and payout of earned credit.
create index withdrawals_rewarded on withdrawals (day) include (wallet, earned, state, id)
  where earned > 0 and state <> 'refunded';
-- Whether a wallet was ever paid, and what it was paid within a month.
create index withdrawals_paid_of_wallet on withdrawals (wallet, settled_at) where state = 'finalized';
-- Whether a wallet has deposited, among any number of unsupported tokens that others have sent to its address. Every amount is
-- positive. Only a statement with the same condition on it uses this index: the report of new deposits must not.
create index receipts_credited_of_wallet on receipts (wallet)
  where asset = 'cotton' and state = 'credited' and amount > 0;
