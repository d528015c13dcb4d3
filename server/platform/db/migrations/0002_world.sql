-- Land --------------------------------------------------------------------------------------------
-- What a parcel is stands in the rules of the game; here stands only what play changes.

-- The price of a continent moves with each sale, so whoever sells there locks its row first.
create table continents (
  code text primary key,
  -- What its first parcel cost, in base units; it moves no more once something is sold.
  start_price bigint not null default 100000000000 check (start_price > 0),
  price bigint not null default 100000000000 check (price > 0),
  owned integer not null default 0 check (owned >= 0),
  -- Parcels that the operator does not sell.
  excluded text[] not null default '{}',
  -- Grows with every change of the continent or its parcels, so that readers see what they missed.
  version bigint not null default 0 check (version >= 0)
) with (fillfactor = 50);
insert into continents (code) values ('NA'), ('SA'), ('EU'), ('AS'), ('AF'), ('OC'), ('AN');

-- A parcel has a row once it is owned.
create table land (
  parcel_id text primary key,
  region text not null,
  wallet text not null,
  -- Of the sale by the game, in base units; a resale leaves both as they are.
  price_paid bigint not null check (price_paid > 0),
  journal_id uuid not null unique,
  bought_at timestamptz not null
);
create index land_by_region on land (region);

grant select, update (price, owned, version) on continents to api;
grant select, insert on land to api;
grant select on continents, land to readonly;
