import { walletSql } from '../players.ts'

const PRICE = 50_000_000_000n

/**
 * A hire of a kid with its key for pgbench, as one statement, which is its transaction: it takes the player's account,
 * then the supply, and writes the rows that the product writes. Its variable `buyers` says how many players there are.
 */
export const HIRE_SCRIPT = `
\\set player random(1, :buyers)
with id as (select uuidv7() as id),
purse as (
  select wallet, balance, version from accounts
  where wallet = ${walletSql(':player')} and class = 'deposited' and balance >= ${PRICE} for update
),
stock as (
  update worker_types set sold = sold + 1
  where worker_type = 'kid' and sold < max_supply and exists (select from purse)
  returning 'kid-' || lpad(sold::text, greatest(4, length(sold::text)), '0') as worker_id
),
hired as (
  insert into workers (wallet, worker_id, worker_type, rate_per_hour, since, purchased_at)
  select wallet, worker_id, 'kid', 5000, now(), now() from purse, stock
),
kept as (
  insert into idempotency_keys (wallet, route, key, body_hash, answer, at)
  select wallet, '/api/workers/purchase', id::text, sha256(worker_id::bytea),
    jsonb_build_object('success', true, 'worker', jsonb_build_object('workerId', worker_id, 'workerType', 'kid')), now()
  from purse, stock, id
),
charged as (
  update accounts a set balance = a.balance - ${PRICE}, version = a.version + 1
  from purse, stock where a.wallet = purse.wallet and a.class = 'deposited'
),
written as (
  insert into journals (id, wallet, kind, at, detail)
  select id, wallet, 'hire', now(), jsonb_build_object('workerId', worker_id) from purse, stock, id
)
insert into entries (wallet, journal_id, line, account, amount, balance_after, version)
select wallet, id, 0, 'deposited'::ledger_account, ${-PRICE}, balance - ${PRICE}, version + 1 from purse, stock, id
union all
select wallet, id, 1, 'pool', ${PRICE}, null, null from purse, stock, id;
`
