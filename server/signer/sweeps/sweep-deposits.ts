import { randomUUID } from 'node:crypto'
import { cotton } from '#game/cotton.ts'
import { canNeverLand, readOutcomes } from '#server/chain/quorum.ts'
import { deriveKey } from '#server/signer/keys/derive-keys.ts'
import type { Address, Signature, Wire } from '#server/chain/port.ts'
import { buildSweep } from '#server/chain/transactions.ts'
import { sql } from '#server/platform/db/db.ts'
import type { Signer } from '../signer.ts'

/** A deposit account is emptied when it holds this much; less waits for more, and is never lost. */
const SMALLEST_SWEEP = { local: cotton(1), elsewhere: cotton(1_000) }

/** How many sweeps are signed in one round. */
const AT_ONCE = 20

/** How many accounts a node reads at one slot. */
const BALANCES_AT_ONCE = 100

/** How many of the newest deposits, and of all addresses in their order, are looked at in one round. */
const PAGE = 500

type OpenSweep = { id: string; signature: Signature; wire: string; lastValidHeight: bigint }
type Candidate = { index: number; tokenAccount: Address }

const readOpen = sql(
  'sweeps-read-open',
  `select id::text, signature, encode(wire, 'base64') as wire, last_valid_height as "lastValidHeight"
   from sweeps where state = 'signed'`,
)

const close = sql('sweeps-close', `update sweeps set state = $2 where id = $1 and state = 'signed'`)

const readPage = sql(
  'sweeps-read-page',
  `select max(index) as last from (
     select index from deposit_addresses where index > $1 and wallet is not null order by index limit $2
   ) page`,
)

// The books say where something should be; how much it is, the chain says. However many addresses there are, one look
// takes in the newest deposits and one page of all the others, so that what was too little gets its turn again.
const readCandidates = sql(
  'sweeps-read-candidates',
  `with looked as (
     select token_account, min(rank) as rank from (
       (select token_account, 1 as rank from receipts
        where asset = 'cotton' and state = 'credited' order by credited_at desc limit $2)
       union all
       select token_account, 2 from deposit_addresses where index > $3 and index <= $4 and wallet is not null
     ) each group by token_account
   )
   select a.index, a.token_account as "tokenAccount" from looked
   join deposit_addresses a using (token_account)
   cross join lateral (
     select coalesce(sum(r.amount), 0) as arrived from receipts r
     where r.token_account = a.token_account and r.asset = 'cotton' and r.state = 'credited'
   ) came
   cross join lateral (
     select coalesce(sum(s.amount), 0) as gone, coalesce(bool_or(s.state = 'signed'), false) as going from sweeps s
     where s.token_account = a.token_account and s.state in ('finalized', 'signed')
   ) went
   where came.arrived - went.gone >= $1 and not went.going
   order by looked.rank, a.index`,
)

const insertSweep = sql(
  'sweeps-insert',
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
  const outcomes = await readOutcomes(
    chain,
    open.map((sweep) => sweep.signature),
  )
  for (const [at, { id, signature, wire, lastValidHeight }] of open.entries()) {
    const outcome = outcomes[at]
    if (outcome === 'landed') await db.rows(close, [id, 'finalized'])
    else if (outcome === 'failed') await db.rows(close, [id, 'failed'])
    else if (outcome === 'seen') continue
    else if (await canNeverLand(chain, { signature, lastValidBlockHeight: lastValidHeight })) {
      await db.rows(close, [id, 'failed'])
    } else await chain.send(wire.replaceAll('\n', '') as Wire, { skipPreflight: true })
  }
}

async function nextCandidates({ db, sweepCursor }: Signer, smallest: bigint): Promise<Candidate[]> {
  const from = sweepCursor.from
  const [page] = await db.rows<{ last: number | null }>(readPage, [from, PAGE])
  const to = page?.last ?? from
  sweepCursor.from = page?.last ?? 0
  return db.rows<Candidate>(readCandidates, [smallest, PAGE, from, to])
}

/**
 * The first of the candidates that hold enough on the chain. Where a backup was restored the books may expect tokens in
 * accounts that were emptied long ago: however many they are, they take nobody's place.
 */
async function findFilled(
  { chain }: Signer,
  candidates: readonly Candidate[],
  smallest: bigint,
): Promise<(Candidate & { amount: bigint })[]> {
  const filled: (Candidate & { amount: bigint })[] = []
  for (let from = 0; from < candidates.length && filled.length < AT_ONCE; from += BALANCES_AT_ONCE) {
    const page = candidates.slice(from, from + BALANCES_AT_ONCE)
    const accounts = page.map((candidate) => candidate.tokenAccount)
    const { amounts } = await chain.tokenBalances(accounts, { notBefore: 0n })
    const withAmounts = page.map((candidate, at) => ({ ...candidate, amount: amounts[at]! }))
    filled.push(...withAmounts.filter(({ amount }) => amount >= smallest))
  }
  return filled.slice(0, AT_ONCE)
}

async function startSweeps(signer: Signer): Promise<void> {
  const { db, chain, clock, seed, treasury } = signer
  const smallest = chain.facts.cluster === 'local' ? SMALLEST_SWEEP.local : SMALLEST_SWEEP.elsewhere
  const candidates = await nextCandidates(signer, smallest)
  for (const { index, tokenAccount, amount } of await findFilled(signer, candidates, smallest)) {
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
    if ((await db.rows(insertSweep, values)).length === 1) await chain.send(wire, { skipPreflight: true })
  }
}
