import type { Pool } from 'pg'
import { purchaseListing } from '#contract/market.ts'
import { keyOn } from '../requests.ts'
import type { Offered } from './traders.ts'

// The whole resale, its key included: it takes both players' accounts in the order of their wallets, then the
// continent, the land and the listing, and writes the rows that the product writes.
const BUY = `
with id as (select uuidv7() as id),
offer as (select id as listing, parcel_id, seller, price from listings where id = $1::uuid and state = 'active'),
purses as (
  select wallet, balance, version from accounts
  where class = 'deposited' and (wallet = $2::text or wallet = (select seller from offer)) order by wallet for update
),
-- Both are counted, and so locked, before anything else is.
paid as (select balance, version from purses where wallet = $2::text and (select count(*) from purses) = 2),
got as (select balance, version from purses where wallet <> $2::text),
bumped as (
  update continents set version = continents.version + 1 from offer, paid
  where code = left(offer.parcel_id, 2) and paid.balance >= offer.price returning code
),
moved as (
  update land l set wallet = $2::text from offer, bumped
  where l.parcel_id = offer.parcel_id and l.wallet = offer.seller returning l.parcel_id
),
sold as (
  update listings l set state = 'sold', buyer = $2::text, journal_id = id.id, closed_at = clock_timestamp()
  from moved, id where l.id = $1::uuid and l.state = 'active'
  returning l.seller, l.price, l.price - l.price / 10 as gain
),
kept as (
  insert into idempotency_keys (wallet, route, key, body_hash, answer, at)
  select $2::text, $3::text, $4::text, $5::bytea,
    jsonb_build_object('success', true, 'parcelId', parcel_id), now() from moved
),
charged as (
  update accounts a set version = a.version + 1,
    balance = a.balance + case when a.wallet = $2::text then -sold.price else sold.gain end
  from sold, purses where a.wallet = purses.wallet and a.class = 'deposited'
),
written as (
  insert into journals (id, wallet, kind, at, detail)
  select id, $2::text, 'resale', now(),
    jsonb_build_object('listingId', $1::uuid, 'parcelId', parcel_id, 'price', price / 1000000)
  from sold, moved, id
)
insert into entries (wallet, journal_id, line, account, amount, balance_after, version)
select $2::text, id, 0, 'deposited'::ledger_account, -price, balance - price, version + 1 from sold, paid, id
union all
select seller, id, 1, 'deposited', gain, balance + gain, version + 1 from sold, got, id
union all
select seller, id, 2, 'pool', price - gain, null, null from sold, id`

/** A resale as one statement, which is its transaction. Answers false where the listing is gone. */
export async function buyOnce(pool: Pool, { listingId, wish }: Offered): Promise<boolean> {
  const { route, key, bodyHash } = keyOn(purchaseListing.path)
  const values = [listingId, wish.wallet, route, key, bodyHash]
  const { rowCount } = await pool.query({ name: 'bench-resell-once', text: BUY, values })
  return rowCount === 3
}
