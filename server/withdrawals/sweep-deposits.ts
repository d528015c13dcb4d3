import { randomUUID } from 'node:crypto'
import { cotton } from '#game/cotton.ts'
import { deriveKey } from '#server/chain/keys.ts'
import type { Address, Signature, Wire } from '#server/chain/port.ts'
import { buildSweep } from '#server/chain/transactions.ts'
import { sql } from '#server/platform/db/db.ts'
import type { Signer } from './signer.ts'

/** A deposit account is emptied when it holds this much; less waits for more, and is never lost. */
const SMALLEST_SWEEP = { local: cotton(1), elsewhere: cotton(1_000) }

const AT_ONCE = 20

type OpenSweep = { id: string; signature: Signature; wire: string; lastValidHeight: bigint }
type Candidate = { index: number; tokenAccount: Address }

const readOpen = sql(
  'sweeps-read-open',
  `select id::text, signature, encode(wire, 'base64') as wire, last_valid_height as "lastValidHeight"
   from sweeps where state = 'signed'`,
)

const close = sql('sweeps-close', `update sweeps set state = $2 where id = $1 and state = 'signed'`)

// The books say where something should be; how much it is, the chain says.
const readCandidates = sql(
  'sweeps-read-candidates',
  `select a.index, a.token_account as "tokenAccount" from (
     select token_account, sum(amount) as arrived from receipts
     where asset = 'cotton' and state = 'credited' group by token_account
   ) came
   join deposit_addresses a using (token_account)
   left join (
     select token_account, sum(amount) as gone from sweeps where state = 'finalized' group by token_account
   ) went using (token_account)
   where came.arrived - coalesce(went.gone, 0) >= $1
     and not exists (select from sweeps o where o.token_account = a.token_account and o.state = 'signed')
   order by a.index limit $2`,
)

const keepSweep = sql(
  'sweeps-keep',
  `insert into sweeps (id, token_account, amount, signature, wire, last_valid_height, state, at)
   values ($1, $2, $3, $4, $5, $6, 'signed', $7) on conflict do nothing returning id`,
)

/**
 * Moves deposits to the treasury. The ledger does not move, since it counts both places as one; the chain is the
 * truth. The same bytes are sent until they are final, or until they can never land.
 */
export async function sweepDeposits(signer: Signer): Promise<void> {
  await closeSweeps(signer)
  await startSweeps(signer)
}

async function closeSweeps({ db, chain }: Signer): Promise<void> {
  const open = await db.rows<OpenSweep>(readOpen)
  if (open.length === 0) return
  // Before the statuses: what had landed by this height shows in them.
  const height = await chain.blockHeight('finalized')
  const statuses = await chain.statuses(open.map((sweep) => sweep.signature))
  for (const [at, { id, wire, lastValidHeight }] of open.entries()) {
    const status = statuses[at]
    if (status?.commitment === 'finalized') await db.rows(close, [id, status.failed ? 'failed' : 'finalized'])
    else if (!status && height > lastValidHeight) await db.rows(close, [id, 'failed'])
    else if (!status) await chain.send(wire.replaceAll('\n', '') as Wire, { skipPreflight: true })
  }
}

async function startSweeps({ db, chain, clock, seed, treasury }: Signer): Promise<void> {
  const smallest = chain.facts.cluster === 'local' ? SMALLEST_SWEEP.local : SMALLEST_SWEEP.elsewhere
  for (const { index, tokenAccount } of await db.rows<Candidate>(readCandidates, [smallest, AT_ONCE])) {
    const amount = await chain.tokenBalance(tokenAccount, 'finalized')
    if (amount < smallest) continue
    const depositOwner = await deriveKey(seed, index)
    const id = randomUUID()
    const lifetime = await chain.latestBlockhash('confirmed')
    const { signature, wire } = await buildSweep({
      token: chain.facts,
      depositOwner,
      treasury,
      amount,
      id,
      lifetime,
    })
    const bytes = Buffer.from(wire, 'base64')
    const values = [id, tokenAccount, amount, signature, bytes, lifetime.lastValidBlockHeight, clock.now()]
    if ((await db.rows(keepSweep, values)).length === 1) await chain.send(wire, { skipPreflight: true })
  }
}
