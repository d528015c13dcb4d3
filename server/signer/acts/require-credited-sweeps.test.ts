import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { type Address, ChainUnavailable } from '#server/chain/port.ts'
import { buildSweep } from '#server/chain/transactions.ts'
import { takeDepositAddress } from '#server/deposits/take-address.ts'
import { readWorldBalances } from '#server/ledger/read-world-balances.ts'
import { readActOutcome } from '#server/operators/operator-acts.ts'
import type { Signer } from '#server/signer/signer.ts'
import { runQuery, waitUntil } from '#tests/support/chain-test-world.ts'
import { createHolder, scanAddress } from '#tests/support/depositors.ts'
import { createNode } from '#tests/support/nodes.ts'
import { makeOps } from '#tests/support/operators.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'

const world = setUpChainTestWorld()
const { submit, execute } = makeOps(world, ['ana'])
let signer: Signer

beforeAll(async () => {
  signer = await world.newSigner()
  await waitUntil(async () => (await world.tokenBalanceOf(signer.treasury.address)) > 0n)
})

const fund = (amount: string) => submit('ana', { kind: 'fund', amount, reason: 'A test.' })
const outcomeOf = (nonce: string) => readActOutcome(world.owner, nonce)

/** Moves all tokens of a deposit address to the treasury, without a trace in the database. */
async function sweepUnrecorded(owner: Address, amount: bigint): Promise<void> {
  const [row] = await runQuery<{ index: number }>(
    world.owner,
    'select index from deposit_addresses where owner = $1',
    [owner],
  )
  const { wire, signature } = await buildSweep({
    token: world.chain.facts,
    depositOwner: await signer.keys.depositKey(row!.index),
    treasury: signer.treasury,
    amount,
    id: randomUUID(),
    lifetime: await world.chain.latestBlockhash('confirmed'),
  })
  await world.chain.send(wire)
  await world.waitUntilFinal(signature)
}

test('a deposit that a restored database lacks, like its sweep, is not taken for tokens that nobody is owed', async () => {
  const player = await createHolder(world, 70)
  const address = (await takeDepositAddress(world.api, { wallet: player.address, now: world.clock.now() }))!
  await world.waitUntilFinal(await world.transfer(player, address.owner, cotton(70)))
  await sweepUnrecorded(address.owner, cotton(70))
  const before = await readWorldBalances(world.owner)

  const nonce = await fund('1')
  // Only one of two nodes shows the history of the treasury.
  const history = () => Promise.reject(new ChainUnavailable('no list'))
  const nodes = [createNode(world.chain), createNode(world.chain, { history })]
  await execute({ chain: { ...world.chain, nodes } })
  expect(await outcomeOf(nonce)).toMatchObject({
    state: 'waiting',
    outcome: 'The sweeps into the treasury are not all read yet. It is tried again.',
  })
  await execute()
  expect(await outcomeOf(nonce)).toMatchObject({
    state: 'waiting',
    outcome: expect.stringMatching(/^Tokens that were swept from \w+ are not all credited yet\./),
  })
  expect((await readWorldBalances(world.owner)).pool).toBe(before.pool)

  await scanAddress(world, address)
  await execute()
  expect(await outcomeOf(nonce)).toMatchObject({
    state: 'refused',
    outcome: expect.stringContaining('The treasury has 0 $COTTON that are not owed to anybody'),
  })
  expect(await world.audit()).toEqual([])
})
