import { type Cotton, cotton } from '#game/cotton.ts'
import { fundingEntries, OPERATOR } from '#game/credit.ts'
import { askLocalFaucet } from '#server/chain/ask-local-chain.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { sql } from '#server/platform/db/db.ts'
import { recordFunding } from '#server/solvency/record-funding.ts'
import type { StepDeps, TreasuryAddresses } from './step-deps.ts'

/** The pool of a local game at its first start. */
const POOL: Cotton = cotton(100_000_000)

/** SOL of the treasury, for fees, nonce accounts and token accounts of players. */
const LAMPORTS = 100_000_000_000n
const MIN_LAMPORTS = 10_000_000_000n

const FUNDED = 'pool_funded'

const readFunded = sql({
  name: 'fund-read',
  params: { name: 'text' },
  text: ({ name }) => `select from settings where name = ${name}`,
})

const markFunded = sql({
  name: 'fund-mark',
  params: { name: 'text', value: 'jsonb', at: 'timestamptz' },
  text: ({ name, value, at }) => `insert into settings (name, value, at) values (${name}, ${value}, ${at})
    on conflict do nothing returning name`,
})

/**
 * On the local chain: gives SOL to the treasury and, at the first start, tokens for the pool. The ledger records the
 * pool once. After a crash between chain and ledger, the next start finds the tokens and mints no more.
 */
export async function fundLocalPool(
  { db, chain, clock, treasury, treasuryTokens }: Omit<StepDeps, 'log'> & TreasuryAddresses,
  rpcUrl: string,
): Promise<void> {
  const owner = treasury.address
  if ((await chain.lamports(owner, 'processed')) < MIN_LAMPORTS) {
    await askLocalFaucet(rpcUrl, { owner, baseUnits: 0n, lamports: LAMPORTS })
  }
  if ((await db.rows(readFunded, { name: FUNDED })).length > 0) return
  const missing = POOL - (await chain.tokenBalance(treasuryTokens, 'processed'))
  if (missing > 0n) await askLocalFaucet(rpcUrl, { owner, baseUnits: missing, lamports: 0n })
  // The tokens are in this block at the latest.
  const slot = await chain.slot('processed')
  await db.transaction(async (tx) => {
    const now = clock.now()
    const marked = await tx.rows(markFunded, { name: FUNDED, value: { amount: String(POOL) }, at: now })
    if (marked.length === 0) return
    const ledger = await openLedger(tx, [])
    const detail = { slot: Number(slot) }
    ledger.post({ wallet: OPERATOR, kind: 'funding', at: now, detail, entries: fundingEntries(POOL) })
    ledger.write()
    await recordFunding(tx, { slot, amount: POOL, now })
  })
}
