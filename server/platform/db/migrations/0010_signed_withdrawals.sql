-- What the player signed ----------------------------------------------------------------------------

-- The signer verifies by itself that the wallet asked for this very withdrawal: a row alone, whoever wrote it, pays
-- nobody. What was asked for before signatures were kept has none, and no login that serves players can write such a
-- row any more: the column is not theirs to set.
alter table withdrawals
  add column nonce text check (nonce ~ '^[0-9a-f]{32}$'),
  add column wallet_signature bytea check (octet_length(wallet_signature) = 64),
  add column before_signatures boolean not null default true;
alter table withdrawals alter column before_signatures set default false;
alter table withdrawals add check (before_signatures or nonce is not null and wallet_signature is not null);
-- One signature, one withdrawal.
create unique index withdrawals_by_nonce on withdrawals (wallet, nonce);

grant insert (nonce, wallet_signature) on withdrawals to api;

-- Judged anew, now that there is something to look at; approvals that were given stay.
update withdrawals set state = 'requested', reason = null, reasons = default where state = 'approved';
