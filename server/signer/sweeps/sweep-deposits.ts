import { randomUUID } from 'node:crypto'
import type { KeyPairSigner } from '@solana/kit'
import { cotton } from '#game/cotton.ts'
import { canNeverLand, readLongestLife, readOutcomes, type TransactionOutcome } from '#server/chain/quorum.ts'
import type { Address, Signature, Wire } from '#server/chain/port.ts'
import { buildSweep } from '#server/chain/transactions.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { readCappedUnitPrice, type UnitPriceDeps } from '../payouts/unit-price.ts'
import type { StepDeps } from '../step-deps.ts'
import { TREASURY_STATE } from './watch-treasury.ts'

/**
 * A deposit account is swept when it has at least this much. Smaller amounts stay there, because each sweep costs a fee. While
 * withdrawals wait for tokens, smaller ones are worth it: wallets that deposit 999 $COTTON each, and withdraw as much, could
 * empty the treasury.
 */
const SMALLEST_SWEEP = {
  local: { usual: cotton(1), whileShort: cotton(1) },
  elsewhere: { usual: cotton(1_000), whileShort: cotton(10) },
}

/** How many sweeps one round signs. */
const AT_ONCE = 20

/** How many sweeps may be in flight. Those that no node knows are sent again in each round, and payouts wait meanwhile. */
const MAX_OPEN = 80

/** How many accounts one call to a node reads. */
const ACCOUNTS_AT_ONCE = 100

/** How many of the newest deposits, and how many addresses in index order, one round checks. */
const PAGE = 500

/** The round continues with the deposit addresses above this index. */
export type SweepCursor = { from: number }

type SweepDeps = Pick<StepDeps, 'db' | 'clock'> &
  UnitPriceDeps & {
    keys: Pick<KeyRing, 'depositKey'>
    /** Pays the fees. */
    treasury: KeyPairSigner
    sweepCursor: SweepCursor
  }

type OpenSweep = { id: string; signature: Signature; wire: string; lastValidHeight: bigint }
/** `smallest` is the least amount that is swept now. */
type Candidate = { index: number; tokenAccount: Address; smallest: bigint }

const readOpen = sql({
  name: 'sweeps-read-open',
  row: rowOf<OpenSweep>(),
  text: `select id::text, signature, encode(wire, 'base64') as wire, last_valid_height as "lastValidHeight"
    from sweeps where state = 'signed'`,
})

const close = sql({
  name: 'sweeps-close',
  params: { id: 'uuid', state: 'text' },
  text: ({ id, state }) => `update sweeps set state = ${state} where id = ${id} and state = 'signed'`,
})

const readPage = sql({
  name: 'sweeps-read-page',
  params: { from: 'integer', limit: 'integer' },
  row: rowOf<{ last: number | null }>(),
  text: ({ from, limit }) => `select max(index) as last from (
      select index from deposit_addresses where index > ${from} and wallet is not null order by index limit ${limit}
    ) page`,
})

// The database finds accounts that should hold tokens; the chain returns the amounts. A round checks the newest
// deposits and one page of all addresses, so that small amounts are checked again however many addresses there are.
// While withdrawals wait for more tokens than the treasury was last seen with, without those of payouts in flight, smaller
// amounts are swept, too, the largest first. Not while it is low on SOL, which pays the fees. Only withdrawals that were tried
// can be short: those that wait for a lane, of which there may be millions, are not read.
const readCandidates = sql({
  name: 'sweeps-read-candidates',
  params: { usual: 'bigint', whileShort: 'bigint', newest: 'integer', from: 'integer', to: 'integer' },
  row: rowOf<Candidate>(),
  text: ({ usual, whileShort, newest, from, to }) => `with bound as materialized (
     select case when (
       select sum(deposited + earned) filter (where 'treasury_short' = any(reasons)) from withdrawals
       where state = 'approved' and cancelled_at is null and retry_at is not null
     ) + (
       select coalesce(sum(deposited + earned), 0) from withdrawals where state in ('signed', 'sent')
     ) > (
       select (value ->> 'tokens')::numeric from settings
       where name = '${TREASURY_STATE}' and not (value -> 'alarms' @> '["sol_low"]')
     ) then ${whileShort} else ${usual} end as smallest
   ), checked as (
     select token_account, min(rank) as rank from (
       (select token_account, 1 as rank from receipts
        where asset = 'cotton' and state = 'credited' order by credited_at desc limit ${newest})
       union all
       select token_account, 2 from deposit_addresses where index > ${from} and index <= ${to} and wallet is not null
     ) each group by token_account
   )
   select a.index, a.token_account as "tokenAccount", (select smallest from bound) as smallest from checked
   join deposit_addresses a using (token_account)
   join token_account_totals t using (token_account)
   where t.credited - t.swept >= (select smallest from bound) and not exists (
     select from sweeps s where s.token_account = a.token_account and s.state = 'signed'
   )
   order by least(t.credited - t.swept, ${usual}) desc, checked.rank, a.index`,
})

const insertSweep = sql({
  name: 'sweeps-insert',
  params: {
    id: 'uuid',
    tokenAccount: 'text',
    amount: 'bigint',
    signature: 'text',
    wire: 'bytea',
    lastValidHeight: 'bigint',
    at: 'timestamptz',
  },
  text: (of) => `insert into sweeps (id, token_account, amount, signature, wire, last_valid_height, state, at)
    values (${of.id}, ${of.tokenAccount}, ${of.amount}, ${of.signature}, ${of.wire}, ${of.lastValidHeight}, 'signed',
      ${of.at})
    on conflict do nothing returning id`,
})

/**
 * Moves deposits into the treasury. The ledger does not change, because it counts deposit accounts and treasury as one.
 * A signed sweep is sent again until it is finalized or can no longer land. True if it signed as many as one round does, so
 * that more deposits may wait.
 */
export async function sweepDeposits(deps: SweepDeps): Promise<boolean> {
  const open = await closeSweeps(deps)
  return startSweeps(deps, Math.min(AT_ONCE, MAX_OPEN - open))
}

/** Returns how many sweeps are still in flight. */
async function closeSweeps({ db, chain }: Pick<SweepDeps, 'db' | 'chain'>): Promise<number> {
  const open = await db.rows(readOpen)
  if (open.length === 0) return 0
  const outcomes = await readOutcomes(
    chain,
    open.map((sweep) => sweep.signature),
  )
  const withOutcome = (outcome: TransactionOutcome) => open.filter((_, at) => outcomes[at] === outcome)
  const unseen = withOutcome('unseen')
  const areDead = unseen.length > 0 ? await canNeverLand(chain, unseen) : []
  const landed = withOutcome('landed')
  const failed = [...withOutcome('failed'), ...unseen.filter((_, at) => areDead[at])]
  for (const { id } of landed) await db.rows(close, { id, state: 'finalized' })
  for (const { id } of failed) await db.rows(close, { id, state: 'failed' })
  for (const { wire } of unseen.filter((_, at) => !areDead[at]))
    await chain.send(wire.replaceAll('\n', '') as Wire, { skipPreflight: true })
  return open.length - landed.length - failed.length
}

async function nextCandidates({ db, chain, sweepCursor }: SweepDeps): Promise<Candidate[]> {
  const from = sweepCursor.from
  const [page] = await db.rows(readPage, { from, limit: PAGE })
  const to = page?.last ?? from
  sweepCursor.from = page?.last ?? 0
  const bounds = chain.facts.cluster === 'local' ? SMALLEST_SWEEP.local : SMALLEST_SWEEP.elsewhere
  return db.rows(readCandidates, { ...bounds, newest: PAGE, from, to })
}

/**
 * The first candidates that hold enough on the chain. A restored database may expect tokens in accounts that were
 * already swept; empty accounts do not use up the round's limit. Nor do frozen ones, whose sweeps would fail on the chain
 * again and again, each for a fee.
 */
async function findFilled(
  { chain }: Pick<SweepDeps, 'chain'>,
  candidates: readonly Candidate[],
  limit: number,
): Promise<(Candidate & { amount: bigint })[]> {
  const filled: (Candidate & { amount: bigint })[] = []
  for (let from = 0; from < candidates.length && filled.length < limit; from += ACCOUNTS_AT_ONCE) {
    const page = candidates.slice(from, from + ACCOUNTS_AT_ONCE)
    const accounts = await chain.tokenAccounts(page.map((candidate) => candidate.tokenAccount))
    for (const [at, candidate] of page.entries()) {
      const account = accounts[at]
      if (account && !account.frozen && account.amount >= candidate.smallest)
        filled.push({ ...candidate, amount: account.amount })
    }
  }
  return filled.slice(0, limit)
}

/** True if it signed `limit` sweeps. */
async function startSweeps(deps: SweepDeps, limit: number): Promise<boolean> {
  if (limit <= 0) return false
  const { db, chain, clock, keys, treasury, treasuryTokens } = deps
  const filled = await findFilled(deps, await nextCandidates(deps), limit)
  if (filled.length === 0) return false
  // While the issuer has frozen the treasury, each sweep would fail on the chain for a fee, again and again.
  if ((await chain.tokenAccount(treasuryTokens, 'finalized'))?.frozen) return false
  const unitPriceMicrolamports = await readCappedUnitPrice(deps)
  const longest = await readLongestLife(chain)
  if (longest === null) return false
  const lifetime = await chain.latestBlockhash('confirmed')
  for (const { index, tokenAccount, amount } of filled) {
    const depositOwner = await keys.depositKey(index)
    const id = randomUUID()
    const { signature, wire } = await buildSweep({
      token: chain.facts,
      depositOwner,
      treasury,
      amount,
      id,
      lifetime,
      unitPriceMicrolamports,
    })
    const inserted = await db.rows(insertSweep, {
      id,
      tokenAccount,
      amount,
      signature,
      wire: Buffer.from(wire, 'base64'),
      // An account is not swept again before the sweep has ended.
      lastValidHeight: lifetime.lastValidBlockHeight < longest ? lifetime.lastValidBlockHeight : longest,
      at: clock.now(),
    })
    if (inserted.length === 1) await chain.send(wire, { skipPreflight: true })
  }
  return filled.length === limit
}
