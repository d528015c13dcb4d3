-- Nonces of logins are not stored before they are used: each carries its time and a code that only the api can make.
-- What is here from now on are used ones, until they are too old to be used again.
delete from nonces;
alter table nonces drop constraint nonces_pkey;
alter table nonces add primary key (nonce);

-- The key of these codes. Every api process reads it here, and nobody else may.
create table login_key (
  one boolean primary key default true check (one),
  key bytea not null check (octet_length(key) = 32)
);
insert into login_key (key)
values (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));
grant select on login_key to api;

-- Listings taken back are in no index of a list: a seller may cancel as often as they like. Active ones are few.
drop index listings_by_seller;
create index listings_sold_of_seller on listings (seller, listed_at desc, id desc) where state = 'sold';
drop index listings_sold;
create index listings_sold on listings (parcel_id, closed_at desc, id desc) where state = 'sold';

create index receipts_uncredited on receipts (wallet, seen_at desc, signature) where state in ('pending', 'unclaimed');

drop index withdrawals_by_wallet;
create index withdrawals_by_wallet on withdrawals (wallet, requested_at desc, id desc);

create index workers_by_age on workers (wallet, purchased_at, worker_id);

drop index sessions_by_wallet;
create index sessions_by_wallet on sessions (wallet, created_at desc);
