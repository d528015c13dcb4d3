-- Market ------------------------------------------------------------------------------------------

create table listings (
  id uuid primary key,
  parcel_id text not null references land (parcel_id),
  seller text not null,
  -- Base units; whole $COTTON.
  price bigint not null check (price > 0 and price % 1000000 = 0),
  state text not null default 'active' check (state in ('active', 'sold', 'cancelled')),
  listed_at timestamptz not null,
  buyer text,
  journal_id uuid unique,
  closed_at timestamptz,
  check ((state = 'sold') = (buyer is not null)),
  check ((state = 'sold') = (journal_id is not null)),
  check ((state = 'active') = (closed_at is null)),
  check (buyer <> seller)
);
-- A parcel is offered once at a time.
create unique index listings_active on listings (parcel_id) where state = 'active';
create index listings_by_seller on listings (seller, listed_at desc);
create index listings_by_buyer on listings (buyer, closed_at desc) where state = 'sold';
create index listings_sold on listings (parcel_id, closed_at) where state = 'sold';

grant select, insert, update (state, buyer, journal_id, closed_at) on listings to api;
grant update (wallet) on land to api;
grant select on listings to readonly;
