import {
  assertBoundChain,
  BOUND_CHAIN,
  type BoundChain,
  readBoundChain,
} from '#server/deposits/connect-bound-chain.ts'
import { assert } from '#server/platform/assert.ts'
import { sql } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import type { Chain } from '#server/chain/port.ts'
import type { Signer } from '../signer.ts'

const writeBoundChain = sql(
  'chain-write-bound',
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
export async function bindChain({ db, chain, clock, treasury }: Signer): Promise<void> {
  const { genesisHash, mint, cluster } = chain.facts
  const expected: BoundChain = { genesisHash, mint, treasury: treasury.address, cluster }
  if ((await readBoundChain(db)) === null) await assertAgreed(chain)
  await db.rows(writeBoundChain, [BOUND_CHAIN, JSON.stringify(expected), clock.now()])
  await db.rows(writeCluster, [BOUND_CHAIN, cluster])
  const boundChain = await readBoundChain(db)
  assert(boundChain, 'the books know their chain')
  assertBoundChain(boundChain, chain.facts)
  if (boundChain.treasury !== expected.treasury) {
    throw new StartupError(
      `The signer's seed is not the one of this database: its treasury is ${boundChain.treasury}. Bring back the seed file that belongs to it.`,
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
  throw new StartupError(
    'Only one node of SOLANA_RPC_URL answers: the first start binds the books to the chain, and needs two that agree on it. Start again when another one answers.',
  )
}
