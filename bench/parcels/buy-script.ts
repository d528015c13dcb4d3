import { purchaseParcel } from '#contract/parcels.ts'
import { nthSql } from '../pgbench.ts'
import { walletSql } from '../players.ts'
import { LAND, REGION } from './continent.ts'

/**
 * A purchase with its key for pgbench, as one statement, which is its transaction: it takes the buyer's account, then
 * the continent, and writes the rows that the product writes. Each client goes over parcels of its own, one after the
 * other, and buys nothing where one has an owner. Its variable `buyers` says how many players there are; `n` is -1 in
 * the beginning.
 */
export const BUY_SCRIPT = `
\\set player random(1, :buyers)
\\set n :n + 1
\\set parcel 1 + (:n * :clients + :client_id) % ${LAND.length}
with wish as (select uuidv7() as id, ${nthSql(LAND, ':parcel')} as parcel_id),
purse as (
  select wallet, balance, version from accounts
  where wallet = ${walletSql(':player')} and class = 'deposited' for update
),
moved as (
  update continents set price = (price / 1000000 * 102 + 50) / 100 * 1000000, owned = owned + 1, version = version + 1
  where code = '${REGION}' and price <= (select balance from purse)
    and not exists (select from land where parcel_id = (select parcel_id from wish))
  returning old.price as price
),
bought as (
  insert into land (parcel_id, region, wallet, price_paid, journal_id, bought_at)
  select parcel_id, '${REGION}', wallet, price, id, now() from purse, moved, wish
),
kept as (
  insert into idempotency_keys (wallet, route, key, body_hash, answer, at)
  select wallet, '${purchaseParcel.path}', id::text, sha256(parcel_id::bytea),
    jsonb_build_object('success', true, 'parcelId', parcel_id), now()
  from purse, moved, wish
),
charged as (
  update accounts a set balance = a.balance - moved.price, version = a.version + 1
  from purse, moved where a.wallet = purse.wallet and a.class = 'deposited'
),
written as (
  insert into journals (id, wallet, kind, at, detail)
  select id, wallet, 'parcel', now(), jsonb_build_object('parcelId', parcel_id, 'price', price / 1000000)
  from purse, moved, wish
)
insert into entries (wallet, journal_id, line, account, amount, balance_after, version)
select wallet, id, 0, 'deposited'::ledger_account, -price, balance - price, version + 1 from purse, moved, wish
union all
select wallet, id, 1, 'pool', price, null, null from purse, moved, wish;
`
