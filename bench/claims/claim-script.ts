import { walletSql, workerSql } from '../players.ts'

// The statements of a claim with an idempotency key, in their order, over arrays of one. Two things differ: both
// accounts come back in one line, because that is all that pgbench can read, and what is paid is always 1 $COTTON,
// because the amount is worked out by the game. The id of the journal is made by Postgres.
/** A claim for pgbench; its variable `players` says how many there are. */
export const CLAIM_SCRIPT = `
\\set player random(1, :players)
begin;
select min(wallet) as wallet, ${workerSql(':player')} as worker, uuidv7()::text as id,
  max(balance) filter (where class = 'earned') + 1000000 as balance,
  max(version) filter (where class = 'earned') + 1 as version
from (
  select wallet, class::text, balance, version from accounts
  where wallet = any(array[${walletSql(':player')}]) order by wallet, class for update
) as locked \\gset
select k.wallet, k.route, k.key, k.body_hash, k.answer from idempotency_keys k
  join unnest(array[:wallet]::text[], array['/api/workers/claim']::text[], array[:id]::text[]) as asked (wallet, route, key)
  using (wallet, route, key);
select w.wallet, w.worker_id, w.base, w.rate_per_hour, w.since, w.claimed from workers w
  join unnest(array[:wallet]::text[], array[:worker]::text[]) as asked (wallet, worker_id) using (wallet, worker_id);
update workers w set claimed = w.claimed + paid.amount
  from unnest(array[:wallet]::text[], array[:worker]::text[], array[1000000]::bigint[]) as paid (wallet, worker_id, amount)
  where w.wallet = paid.wallet and w.worker_id = paid.worker_id and paid.amount > 0;
insert into idempotency_keys (wallet, route, key, body_hash, answer, at)
  select wallet, route, key, body_hash, answer, now()
  from unnest(array[:wallet]::text[], array['/api/workers/claim']::text[], array[:id]::text[],
    array[sha256(:worker::text::bytea)]::bytea[], array['{"success": true, "claimedAmount": 1, "newBalance": 1}']::jsonb[])
    as kept (wallet, route, key, body_hash, answer);
with settled as (
  update accounts a set balance = s.balance, version = s.version
  from unnest(array[:wallet]::text[], array['earned']::credit_class[], array[:balance]::bigint[], array[:version]::bigint[])
    as s (wallet, class, balance, version)
  where a.wallet = s.wallet and a.class = s.class
), written as (
  insert into journals (id, wallet, kind, at, detail)
  select * from unnest(array[:id]::uuid[], array[:wallet]::text[], array['claim']::move_kind[], array[now()]::timestamptz[],
    array[jsonb_build_object('workerId', :worker::text)]::jsonb[])
)
insert into entries (wallet, journal_id, line, account, amount, balance_after, version)
select * from unnest(array[:wallet, :wallet]::text[], array[:id, :id]::uuid[], array[0, 1]::smallint[],
  array['emission', 'earned']::ledger_account[], array[-1000000, 1000000]::bigint[],
  array[null, :balance]::bigint[], array[null, :version]::bigint[]);
commit;
`
