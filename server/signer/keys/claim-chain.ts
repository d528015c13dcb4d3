import { assertOwnChain, OWN_CHAIN, type OwnChain, readOwnChain } from '#server/deposits/connect-own-chain.ts'
import { assert } from '#server/platform/assert.ts'
import { sql } from '#server/platform/db/db.ts'
import { StartProblem } from '#server/platform/start-problem.ts'
import type { Chain } from '#server/chain/port.ts'
import type { Signer } from '../signer.ts'

const writeOwn = sql(
  'chain-write-own',
  'insert into settings (name, value, at) values ($1, $2, $3) on conflict do nothing',
)

const writeCluster = sql(
  'chain-write-cluster',
  `update settings set value = value || jsonb_build_object('cluster', $2::text)
   where name = $1 and value ->> 'cluster' is null`,
)

/**
 * Binds the books to their chain, token and treasury at the first start. Refuses to start (one sentence) where any of
 * them is another one: deposits and payouts of two worlds must never meet in one ledger. Where there are several nodes,
 * two must agree on the chain before the books are bound to it.
 */
export async function claimChain({ db, chain, clock, treasury }: Signer): Promise<void> {
  const { genesisHash, mint, cluster } = chain.facts
  const mine: OwnChain = { genesisHash, mint, treasury: treasury.address, cluster }
  if ((await readOwnChain(db)) === null) await assertAgreed(chain)
  await db.rows(writeOwn, [OWN_CHAIN, JSON.stringify(mine), clock.now()])
  await db.rows(writeCluster, [OWN_CHAIN, cluster])
  const own = await readOwnChain(db)
  assert(own, 'the books know their chain')
  assertOwnChain(own, chain.facts)
  if (own.treasury !== mine.treasury) {
    throw new StartProblem(
      `The signer's seed is not the one of this database: its treasury is ${own.treasury}. Bring back the seed file that belongs to it.`,
    )
  }
}

async function assertAgreed({ nodes, facts }: Chain): Promise<void> {
  if (nodes.length < 2) return
  const answers = await Promise.allSettled(nodes.map((node) => node.genesisHash()))
  const agreeing = answers.filter(
    (answer) => answer.status === 'fulfilled' && answer.value === facts.genesisHash,
  )
  if (agreeing.length >= 2) return
  throw new StartProblem(
    'Only one node of SOLANA_RPC_URL answers: the first start binds the books to the chain, and needs two that agree on it. Start again when another one answers.',
  )
}
