import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import {
  type Address,
  type Chain,
  type ChainNode,
  ChainUnavailable,
  type Nonce,
  type Wire,
} from '#server/chain/port.ts'
import { sql } from '#server/platform/db/db.ts'
import { newestOf, playerWith, runUntilSettled, withdraw } from '#tests/support/money-players.ts'
import { until } from '#tests/support/money-world.ts'
import { nodeOver } from '#tests/support/nodes.ts'
import { moneyWorld } from '#tests/support/one-money-world.ts'
import { readySigner } from '#tests/support/payouts.ts'
import { judgeRequests } from '../review/judge-requests.ts'
import { openLanes } from './open-lanes.ts'
import { renewLanes } from './renew-lanes.ts'
import { signApproved } from '../payouts/sign-approved.ts'
import type { Signer } from '../signer.ts'

const world = moneyWorld({ signer: 'later' })

test('an advance that lands late takes no payout its nonce away', async () => {
  const first = await world.newSigner()
  const wallet = await playerWith(world, { deposited: 10 })
  await until(async () => {
    await openLanes(first)
    return renewLanes(first)
  })

  const held: Wire[] = []
  // What is sent in the first rounds seems lost in the network.
  const slow: Chain = {
    ...world.chain,
    async send(wire, options) {
      if (held.length >= 8) return world.chain.send(wire, options)
      held.push(wire)
      return { state: 'unknown', detail: 'no answer' }
    },
  }
  const signer = await world.newSigner(slow)
  await until(() => renewLanes(signer))
  await withdraw(world, wallet, cotton(5))
  await judgeRequests(signer)
  await signApproved(signer)
  for (const wire of held) await world.chain.send(wire, { skipPreflight: true })

  await runUntilSettled(world, signer, [wallet])
  expect(await newestOf(world, wallet)).toMatchObject({ state: 'finalized' })
})

test('a node that lags makes no lane safe, and no payout stand on a nonce of the past', async () => {
  const before = await world.newSigner()
  await until(async () => {
    await openLanes(before)
    return renewLanes(before)
  })
  const wallet = await playerWith(world, { deposited: 10 })
  const past = new Map<Address, Nonce>()
  for (const { nonceAccount } of await lanesOf(before))
    past.set(nonceAccount, (await world.chain.nonceValue(nonceAccount, 'finalized'))!)
  const again = await world.newSigner()
  await until(() => renewLanes(again))

  let asked = 0
  let deaf = true
  let signing = false
  const lagging: Chain = {
    ...world.chain,
    async nonceValue(account, commitment, of) {
      const lags = !of?.notBefore && (signing || asked++ % 2 === 1)
      return lags ? past.get(account)! : world.chain.nonceValue(account, commitment, of)
    },
    async send(wire, options) {
      return deaf ? { state: 'unknown', detail: 'no answer' } : world.chain.send(wire, options)
    },
  }
  const signer = await world.newSigner(lagging)
  for (let round = 0; round < 6; round++) expect(await renewLanes(signer)).toBe(false)
  deaf = false
  await until(() => renewLanes(signer))
  for (const { safeSince } of signer.lanes.values()) expect(safeSince).toBeGreaterThan(0n)

  await withdraw(world, wallet, cotton(5))
  await judgeRequests(signer)
  signing = true
  await signApproved(signer)
  signing = false
  await runUntilSettled(world, signer, [wallet])
  expect(await newestOf(world, wallet)).toMatchObject({ state: 'finalized' })
})

test('whether a payout has used its lane’s nonce up is not for one node to say', async () => {
  const before = await readySigner(world)
  const wallet = await playerWith(world, { deposited: 10 })
  await withdraw(world, wallet, cotton(5))
  await judgeRequests(before)
  await signApproved(before)
  const silent = async () => Promise.reject(new ChainUnavailable('no answer in time'))
  const other = async () => 'another' as Nonce
  for (const nonceValue of [silent, other]) {
    const nodes = [nodeOver(world.chain), nodeOver(world.chain, { nonceValue })]
    const signer = await world.newSigner({ ...world.chain, nodes })
    for (let round = 0; round < 3; round++) expect(await renewLanes(signer)).toBe(false)
    expect([...signer.lanes.values()].every(({ safeSince }) => safeSince === null)).toBe(true)
  }
  await runUntilSettled(world, before, [wallet])
})

test('a payout stands on no nonce that one node of several shows alone', async () => {
  const ready = await readySigner(world)
  const wallet = await playerWith(world, { deposited: 10 })
  await withdraw(world, wallet, cotton(5))
  await judgeRequests(ready)
  const nonceValue = async () => '9'.repeat(43) as Nonce
  const honest = nodeOver(world.chain)
  const through = (...nodes: ChainNode[]): Signer => ({
    ...ready,
    chain: { ...world.chain, nonceValue, nodes },
  })
  await signApproved(through(nodeOver(world.chain, { nonceValue }), honest))
  expect(await newestOf(world, wallet)).toMatchObject({ signature: null })
  await signApproved(through(nodeOver(world.chain, { nonceValue }), honest, honest))
  await runUntilSettled(world, ready, [wallet])
  expect(await newestOf(world, wallet)).toMatchObject({ state: 'finalized' })
})

test('a nonce as of a slot that has not come is not known', async () => {
  const [lane] = await lanesOf(await world.newSigner())
  const notBefore = (await world.chain.slot('processed')) + 1_000n
  await expect(world.chain.nonceValue(lane!.nonceAccount, 'finalized', { notBefore })).rejects.toThrow(
    ChainUnavailable,
  )
})

const lanesOf = ({ db }: Signer) =>
  db.rows<{ nonceAccount: Address }>(
    sql('test-lanes', 'select nonce_account as "nonceAccount" from lanes order by lane'),
  )
