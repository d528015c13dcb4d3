import { assertOwnChain, OWN_CHAIN, type OwnChain, readOwnChain } from '#server/deposits/connect-own-chain.ts'
import { assert } from '#server/platform/assert.ts'
import { sql } from '#server/platform/db/db.ts'
import { StartProblem } from '#server/platform/start-problem.ts'
import type { Signer } from './signer.ts'

const writeOwn = sql(
  'chain-write-own',
  'insert into settings (name, value, at) values ($1, $2, $3) on conflict do nothing',
)

/**
 * Binds the books to their chain, token and treasury at the first start. Refuses to start (one sentence) where any of
 * them is another one: deposits and payouts of two worlds must never meet in one ledger.
 */
export async function claimChain({ db, chain, clock, treasury }: Signer): Promise<void> {
  const { genesisHash, mint } = chain.facts
  const mine: OwnChain = { genesisHash, mint, treasury: treasury.address }
  await db.rows(writeOwn, [OWN_CHAIN, JSON.stringify(mine), clock.now()])
  const own = await readOwnChain(db)
  assert(own, 'the books know their chain')
  assertOwnChain(own, chain.facts)
  if (own.treasury !== mine.treasury) {
    throw new StartProblem(
      `The signer's seed is not the one of this database: its treasury is ${own.treasury}. Bring back the seed file that belongs to it.`,
    )
  }
}
