import type { Pool } from 'pg'
import { purchaseParcel } from '#contract/parcels.ts'
import { keyOn } from '../requests.ts'
import type { Wish } from './buyers.ts'
import { REGION } from './continent.ts'

// The whole purchase, its key included: it takes the buyer's account, then the continent, and writes the rows that the
// product writes.
const BUY = `
with id as (select uuidv7() as id),
purse as (
  select wallet, balance, version from accounts where wallet = $1::text and class = 'deposited' for update
),
moved as (
  update continents set price = (price / 1000000 * 102 + 50) / 100 * 1000000, owned = owned + 1, version = version + 1
  where code = $3::text and price <= (select balance from purse)
    and not exists (select from land where parcel_id = $2::text)
  returning old.price as price
),
bought as (
  insert into land (parcel_id, region, wallet, price_paid, journal_id, bought_at)
  select $2::text, $3::text, wallet, price, id, now() from purse, moved, id
),
kept as (
  insert into idempotency_keys (wallet, route, key, body_hash, answer, at)
  select wallet, $4::text, $5::text, $6::bytea, jsonb_build_object('success', true, 'parcelId', $2::text), now()
  from purse, moved
),
charged as (
  update accounts a set balance = a.balance - moved.price, version = a.version + 1
  from moved where a.wallet = $1::text and a.class = 'deposited'
),
written as (
  insert into journals (id, wallet, kind, at, detail)
  select id, wallet, 'parcel', now(), jsonb_build_object('parcelId', $2::text, 'price', price / 1000000)
  from purse, moved, id
)
insert into entries (wallet, journal_id, line, account, amount, balance_after, version)
select wallet, id, 0, 'deposited'::ledger_account, -price, balance - price, version + 1 from purse, moved, id
union all
select wallet, id, 1, 'pool', price, null, null from purse, moved, id`

/** A purchase as one statement, which is its transaction. Answers false where the parcel has an owner. */
export async function buyOnce(pool: Pool, wish: Wish): Promise<boolean> {
  const { route, key, bodyHash } = keyOn(purchaseParcel.path)
  const values = [wish.wallet, wish.parcelId, REGION, route, key, bodyHash]
  const { rowCount } = await pool.query({ name: 'bench-buy-once', text: BUY, values })
  return rowCount === 2
}
