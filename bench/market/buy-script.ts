import { purchaseListing } from '#contract/market.ts'
import { nthSql } from '../pgbench.ts'
import { walletSql } from '../players.ts'
import { LAND } from './traders.ts'

/**
 * A resale with its key for pgbench, as one statement, which is its transaction: it takes both players' accounts in the
 * order of their wallets, then the continent, the land and the listing, and writes the rows that the product writes.
 * Each client goes over listings of its own, one after the other. Its variable `buyers` says how many players there
 * are; `n` is -1 in the beginning.
 */
export const BUY_SCRIPT = `
\\set player random(1, :buyers)
\\set other 1 + :player % :buyers
\\set n :n + 1
\\set parcel 1 + :n * :clients + :client_id
with offer as (
  select uuidv7() as key, id as listing, parcel_id, seller, price,
    case seller when ${walletSql(':player')} then ${walletSql(':other')} else ${walletSql(':player')} end as buyer
  from listings where parcel_id = ${nthSql(LAND, ':parcel')} and state = 'active'
),
purses as (
  select wallet, balance, version from accounts
  where class = 'deposited' and wallet = any(array[(select buyer from offer), (select seller from offer)])
  order by wallet for update
),
-- Both are counted, and so locked, before anything else is.
paid as (
  select balance, version from purses, offer where wallet = buyer and (select count(*) from purses) = 2
),
got as (select balance, version from purses, offer where wallet = seller),
bumped as (
  update continents set version = continents.version + 1 from offer, paid
  where code = left(offer.parcel_id, 2) and paid.balance >= offer.price returning code
),
moved as (
  update land l set wallet = offer.buyer from offer, bumped
  where l.parcel_id = offer.parcel_id and l.wallet = offer.seller returning l.parcel_id, l.wallet
),
sold as (
  update listings l set state = 'sold', buyer = offer.buyer, journal_id = offer.key, closed_at = clock_timestamp()
  from moved, offer where l.id = offer.listing and l.state = 'active'
  returning l.id as listing, l.parcel_id, l.buyer, l.seller, l.price, l.price - l.price / 10 as gain, l.journal_id as key
),
kept as (
  insert into idempotency_keys (wallet, route, key, body_hash, answer, at)
  select buyer, '${purchaseListing.path}', key::text, sha256(parcel_id::bytea),
    jsonb_build_object('success', true, 'parcelId', parcel_id), now() from sold
),
charged as (
  update accounts a set version = a.version + 1,
    balance = a.balance + case when a.wallet = sold.buyer then -sold.price else sold.gain end
  from sold, purses where a.wallet = purses.wallet and a.class = 'deposited'
),
written as (
  insert into journals (id, wallet, kind, at, detail)
  select key, buyer, 'resale', now(),
    jsonb_build_object('listingId', listing, 'parcelId', parcel_id, 'price', price / 1000000)
  from sold
)
insert into entries (wallet, journal_id, line, account, amount, balance_after, version)
select buyer, key, 0, 'deposited'::ledger_account, -price, balance - price, version + 1 from sold, paid
union all
select seller, key, 1, 'deposited', gain, balance + gain, version + 1 from sold, got
union all
select seller, key, 2, 'pool', price - gain, null, null from sold;
`
