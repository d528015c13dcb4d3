import { type Cotton, cotton } from '#game/cotton.ts'
import { fundingEntries } from '#game/credit.ts'
import { askLocalFaucet } from '#server/chain/ask-local-chain.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { sql } from '#server/platform/db/db.ts'
import type { Signer } from './signer.ts'

/** What backs the rewards of a local game from its first start. */
const POOL: Cotton = cotton(100_000_000)

/** SOL of the treasury: fees, nonce accounts, token accounts of players. */
const LAMPORTS = 100_000_000_000n
const MIN_LAMPORTS = 10_000_000_000n

const FUNDED = 'pool_funded'

const readFunded = sql('fund-read', 'select from settings where name = $1')

const markFunded = sql(
  'fund-mark',
  'insert into settings (name, value, at) values ($1, $2, $3) on conflict do nothing returning name',
)

/**
 * On the local chain: gives the treasury SOL, and at the first start tokens for the pool, entered in the ledger once.
 * Cut off between chain and ledger, the next start finds the tokens in the treasury and mints no more.
 */
export async function fundLocalPool(signer: Signer, rpcUrl: string): Promise<void> {
  const { db, chain, clock, treasury, treasuryTokens } = signer
  const owner = treasury.address
  if ((await chain.lamports(owner, 'processed')) < MIN_LAMPORTS) {
    await askLocalFaucet(rpcUrl, { owner, baseUnits: 0n, lamports: LAMPORTS })
  }
  if ((await db.rows(readFunded, [FUNDED])).length > 0) return
  const missing = POOL - (await chain.tokenBalance(treasuryTokens, 'processed'))
  if (missing > 0n) await askLocalFaucet(rpcUrl, { owner, baseUnits: missing, lamports: 0n })
  // The tokens are in this block at the latest: who looks at an older one must not miss them there.
  const detail = { slot: Number(await chain.slot('processed')) }
  await db.transaction(async (tx) => {
    const now = clock.now()
    const marked = await tx.rows(markFunded, [FUNDED, JSON.stringify({ amount: String(POOL) }), now])
    if (marked.length === 0) return
    const ledger = await openLedger(tx, [])
    ledger.post({ wallet: 'operator', kind: 'funding', at: now, detail, entries: fundingEntries(POOL) })
    await ledger.write()
  })
}
