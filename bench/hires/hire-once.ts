import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { BUYERS } from '../parcels/buyers.ts'
import { walletSql } from '../players.ts'

const run = promisify(execFile)

const PRICE = 50_000_000_000n

/**
 * A hire of a kid with its key as one statement, which is its transaction: it takes the player's account, then the
 * supply, and writes the rows that the product writes. `player` stands for the number of the player.
 */
const hireStatement = (player: string): string => `
with id as (select uuidv7() as id),
purse as (
  select wallet, balance, version from accounts
  where wallet = ${walletSql(player)} and class = 'deposited' and balance >= ${PRICE} for update
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
select wallet, id, 1, 'pool', ${PRICE}, null, null from purse, stock, id`

/** Lets pgbench hire by that statement with so many clients. */
export async function hireByPgbench(
  apiUrl: string,
  { clients, seconds, dir }: { clients: number; seconds: number; dir: string },
): Promise<{ done: number; seconds: number }> {
  const script = join(dir, 'hire.pgbench.sql')
  writeFileSync(script, `\\set player random(1, :buyers)\n${hireStatement(':player')};\n`)
  const { hostname, port, username, password, pathname } = new URL(apiUrl)
  const flags = ['-n', '-M', 'prepared', '-f', script, '-D', `buyers=${BUYERS}`]
  const sizes = ['-c', String(clients), '-j', String(Math.min(clients, 2)), '-T', String(seconds)]
  const server = ['-h', hostname, '-p', port, '-U', username, pathname.slice(1)]
  const { stdout } = await run('pgbench', [...flags, ...sizes, ...server], {
    env: { PATH: process.env.PATH, PGPASSWORD: password },
  })
  const done = Number(/transactions actually processed: (\d+)/.exec(stdout)?.[1])
  const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  if (!done || !perSecond) throw new Error(`pgbench said what was not expected:\n${stdout}`)
  return { done, seconds: done / perSecond }
}

/** The same by node-postgres. */
export const hireOnce = { name: 'bench-hire-once', text: hireStatement('$1::integer') }
