import { Pool } from 'pg'
import { v7 as uuid } from 'uuid'
import { keyOn } from './requests.ts'

/** Sends one statement of a transaction, and gives its rows with every value as text. */
export type Run = (name: string, text: string, values: unknown[]) => Promise<Record<string, string>[]>

/** As many connections as the product's api has. */
export function openBarePool(url: string): Pool {
  const pool = new Pool({
    connectionString: url,
    max: 10,
    application_name: 'bench-bare',
    query_timeout: 45_000,
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  return pool
}

/** A transaction as it is written first: one statement after the other. Commits where it was done, else takes it back. */
export async function inTransaction(pool: Pool, work: (run: Run) => Promise<boolean>): Promise<boolean> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const done = await work(
      async (name, text, values) => (await client.query<Record<string, string>>({ name, text, values })).rows,
    )
    await client.query(done ? 'commit' : 'rollback')
    return done
  } finally {
    client.release()
  }
}

export type Purse = { balance: bigint; version: bigint }

/** Locks a player's deposited credit, and gives what is left of it after a move. */
export async function lockPurse(
  run: Run,
  { wallet, amount }: { wallet: string; amount: bigint },
): Promise<Purse> {
  const [account] = await run(
    'bare-balance',
    `select balance, version from accounts where wallet = $1 and class = 'deposited' for update`,
    [wallet],
  )
  return { balance: BigInt(account!.balance!) + amount, version: BigInt(account!.version!) + 1n }
}

/** Writes the journal of a move, and gives its id. */
export async function writeJournal(
  run: Run,
  { wallet, kind, detail }: { wallet: string; kind: string; detail: object },
): Promise<string> {
  const id = uuid()
  await run(
    'bare-journal',
    'insert into journals (id, wallet, kind, at, detail) values ($1, $2, $3, now(), $4)',
    [id, wallet, kind, JSON.stringify(detail)],
  )
  return id
}

/** Sells something of the game's: the player's credit goes to the pool. */
export async function chargeForPool(
  run: Run,
  { wallet, id, price, left }: { wallet: string; id: string; price: bigint; left: Purse },
): Promise<void> {
  await run(
    'bare-entries',
    `insert into entries (wallet, journal_id, line, account, amount, balance_after, version)
     values ($1, $2, 0, 'deposited', -$3::bigint, $4, $5), ($1, $2, 1, 'pool', $3::bigint, null, null)`,
    [wallet, id, price, left.balance, left.version],
  )
  await settlePurse(run, { wallet, left })
}

/** Writes what a player has now. */
export const settlePurse = (run: Run, { wallet, left }: { wallet: string; left: Purse }): Promise<unknown> =>
  run(
    'bare-charge',
    `update accounts set balance = $2, version = $3 where wallet = $1 and class = 'deposited'`,
    [wallet, left.balance, left.version],
  )

/** Keeps the answer under a key of its own. */
export async function keepAnswer(
  run: Run,
  { wallet, route, answer }: { wallet: string; route: string; answer: object },
): Promise<void> {
  const { key, bodyHash } = keyOn(route)
  await run(
    'bare-key',
    `insert into idempotency_keys (wallet, route, key, body_hash, answer, at) values ($1, $2, $3, $4, $5, now())`,
    [wallet, route, key, bodyHash, JSON.stringify(answer)],
  )
}
