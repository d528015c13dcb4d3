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
import type { StepDeps, TreasuryAddresses } from '../step-deps.ts'

const writeBoundChain = sql({
  name: 'chain-write-bound',
  params: { name: 'text', value: 'jsonb', at: 'timestamptz' },
  text: ({ name, value, at }) =>
    `insert into settings (name, value, at) values (${name}, ${value}, ${at}) on conflict do nothing`,
})

type BindChainDeps = Pick<StepDeps, 'db' | 'chain' | 'clock'> & Pick<TreasuryAddresses, 'treasury'>

/**
 * Binds the database to its chain, token and treasury at the first start. Refuses to start if any of them differs
 * later: one ledger must never mix the deposits and payouts of two chains. With several nodes, two must agree on the
 * chain before the database is bound to it.
 */
export async function bindChain({ db, chain, clock, treasury }: BindChainDeps): Promise<void> {
  const { genesisHash, mint, cluster } = chain.facts
  const expected: BoundChain = { genesisHash, mint, treasury: treasury.address, cluster }
  if ((await readBoundChain(db)) === null) await assertAgreed(chain)
  await db.rows(writeBoundChain, { name: BOUND_CHAIN, value: expected, at: clock.now() })
  const boundChain = await readBoundChain(db)
  assert(boundChain, 'the database is bound to a chain')
  assertBoundChain(boundChain, chain.facts)
  if (boundChain.treasury !== expected.treasury) {
    throw new StartupError(
      `The signer's seed is not the one of this database: its treasury is ${boundChain.treasury}. Restore the seed file that belongs to it.`,
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
    'Only one node of SOLANA_RPC_URL answers. The first start binds the database to the chain and needs two nodes that agree on it. Start again when another node answers.',
  )
}
