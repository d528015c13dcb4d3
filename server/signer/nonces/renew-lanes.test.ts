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
import { readTransaction } from '#server/chain/read-transaction.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { readOpenPayouts } from '#server/withdrawals/open-withdrawals.ts'
import {
  readNewestWithdrawal,
  createPlayerWith,
  runUntilSettled,
  withdraw,
} from '#tests/support/chain-test-players.ts'
import { waitUntil } from '#tests/support/chain-test-world.ts'
import { createNode } from '#tests/support/nodes.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { createReadySigner, unitPriceOf } from '#tests/support/payouts.ts'
import { reviewRequests } from '../review/review-requests.ts'
import { findLanes, openLanes } from './open-lanes.ts'
import { renewLanes } from './renew-lanes.ts'
import { sendPayouts } from '../payouts/send-payouts.ts'
import { signApproved } from '../payouts/sign-approved.ts'
import type { Signer } from '../signer.ts'

const world = setUpChainTestWorld({ signer: 'later' })

test('an advance that lands late does not use up the nonce of a payout', async () => {
  const first = await world.newSigner()
  const wallet = await createPlayerWith(world, { deposited: 10 })
  await waitUntil(async () => {
    await openLanes(first)
    return renewLanes(first)
  })

  const held: Wire[] = []
  // Transactions of the first rounds appear to be lost.
  const slow: Chain = {
    ...world.chain,
    async send(wire, options) {
      if (held.length >= 8) return world.chain.send(wire, options)
      held.push(wire)
      return { state: 'unknown', detail: 'no answer' }
    },
  }
  const signer = await world.newSigner(slow)
  await waitUntil(() => renewLanes(signer))
  await withdraw(world, wallet, cotton(5))
  await reviewRequests(signer)
  await signApproved(signer)
  for (const wire of held) await world.chain.send(wire, { skipPreflight: true })

  await runUntilSettled(world, signer, [wallet])
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'finalized' })
})

test('a lagging node neither makes a lane safe nor puts a payout on an old nonce', async () => {
  const before = await world.newSigner()
  await waitUntil(async () => {
    await openLanes(before)
    return renewLanes(before)
  })
  const wallet = await createPlayerWith(world, { deposited: 10 })
  const past = new Map<Address, Nonce>()
  for (const { nonceAccount } of await lanesOf(before))
    past.set(nonceAccount, (await world.chain.nonceValue(nonceAccount, 'finalized'))!)
  const again = await world.newSigner()
  await waitUntil(() => renewLanes(again))

  let reads = 0
  let deaf = true
  let signing = false
  const lagging: Chain = {
    ...world.chain,
    async nonceValue(account, commitment, of) {
      const lags = !of?.notBefore && (signing || reads++ % 2 === 1)
      return lags ? past.get(account)! : world.chain.nonceValue(account, commitment, of)
    },
    async send(wire, options) {
      return deaf ? { state: 'unknown', detail: 'no answer' } : world.chain.send(wire, options)
    },
  }
  const signer = await world.newSigner(lagging)
  for (let round = 0; round < 6; round++) expect(await renewLanes(signer)).toBe(false)
  deaf = false
  await waitUntil(() => renewLanes(signer))
  for (const { safeSince } of signer.lanes.values()) expect(safeSince).toBeGreaterThan(0n)

  await withdraw(world, wallet, cotton(5))
  await reviewRequests(signer)
  signing = true
  await signApproved(signer)
  signing = false
  await runUntilSettled(world, signer, [wallet])
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'finalized' })
})

test.each<[name: string, away: number]>([
  ['both', 0],
  ['two of three', 1],
])('a node that is always some slots behind does not stop the renewal if %s answer', async (_name, away) => {
  await createReadySigner(world)
  const silent = async () => Promise.reject(new ChainUnavailable('no answer in time'))
  const reads = { slot: silent, nonceValue: silent, nonceValues: silent, statuses: silent }
  // Two seconds: longer than it takes to read a slot and then a nonce.
  const lagSlots = 100n
  const requireReached = async (notBefore = 0n): Promise<void> => {
    if ((await world.chain.slot('finalized')) - lagSlots < notBefore)
      throw new ChainUnavailable('Minimum context slot has not been reached')
  }
  const behind = createNode(world.chain, {
    slot: async (commitment) => (await world.chain.slot(commitment)) - lagSlots,
    async nonceValue(account, commitment, of) {
      await requireReached(of?.notBefore)
      return world.chain.nonceValue(account, commitment, of)
    },
    async nonceValues(accounts, commitment, of) {
      await requireReached(of?.notBefore)
      return world.chain.nonceValues(accounts, commitment, of)
    },
  })
  const nodes = [createNode(world.chain), behind, createNode(world.chain, reads)].slice(0, 2 + away)
  const signer = await world.newSigner({ ...world.chain, nodes })
  await waitUntil(() => findLanes(signer), 20_000)
  await waitUntil(() => renewLanes(signer), 20_000)
})

test('a slot is the start of the renewal only once both nodes have said how far they are', async () => {
  await createReadySigner(world)
  let isAway = true
  const ahead = createNode(world.chain, {
    slot: async (commitment) => {
      if (isAway) throw new ChainUnavailable('no answer in time')
      return (await world.chain.slot(commitment)) + 1n
    },
  })
  const signer = await world.newSigner({ ...world.chain, nodes: [createNode(world.chain), ahead] })
  await findLanes(signer)
  expect(signer.startSlot.slot).toBeNull()
  isAway = false
  await findLanes(signer)
  expect(signer.startSlot.slot).not.toBeNull()
})

test('a slot far in the future, which one node has named once, is not the start of the renewal', async () => {
  await createReadySigner(world)
  let aheadSlots = 1_000_000n
  const wrong = createNode(world.chain, {
    slot: async (commitment) => (await world.chain.slot(commitment)) + aheadSlots,
  })
  const signer = await world.newSigner({ ...world.chain, nodes: [createNode(world.chain), wrong] })
  expect(await findLanes(signer)).toBe(false)
  expect(signer.startSlot.slot).toBeNull()
  aheadSlots = 0n
  await findLanes(signer)
  expect(signer.startSlot.slot).not.toBeNull()
})

test('one node alone cannot decide that a payout has used the nonce of its lane', async () => {
  const before = await createReadySigner(world)
  const wallet = await createPlayerWith(world, { deposited: 10 })
  await withdraw(world, wallet, cotton(5))
  await reviewRequests(before)
  await signApproved(before)
  const silent = async () => Promise.reject(new ChainUnavailable('no answer in time'))
  const other = async () => 'another' as Nonce
  for (const nonceValue of [silent, other]) {
    const nodes = [createNode(world.chain), createNode(world.chain, { nonceValue })]
    const signer = await world.newSigner({ ...world.chain, nodes })
    for (let round = 0; round < 3; round++) expect(await renewLanes(signer)).toBe(false)
    expect([...signer.lanes.values()].every(({ safeSince }) => safeSince === null)).toBe(true)
  }
  await runUntilSettled(world, before, [wallet])
})

test('a lagging node does not make the lane safe whose payout has landed', async () => {
  const before = await createReadySigner(world)
  const wallet = await createPlayerWith(world, { deposited: 10 })
  await withdraw(world, wallet, cotton(5))
  await reviewRequests(before)
  await signApproved(before)
  const [payout] = await readOpenPayouts(before.db)
  const { nonceAccount, nonce } = payout!.lane
  await sendPayouts(before)
  await world.waitUntilFinal(payout!.signature)
  // As of a provider whose machines are not equally far.
  const nonceValue: Chain['nonceValue'] = async (account, commitment, of) =>
    account === nonceAccount && !of?.notBefore ? nonce : world.chain.nonceValue(account, commitment, of)
  const nodes = [createNode(world.chain, { nonceValue })]
  const signer = await world.newSigner({ ...world.chain, nonceValue, nodes })
  await renewLanes(signer)
  expect([...signer.lanes.values()].every(({ safeSince }) => safeSince === null)).toBe(true)
  await runUntilSettled(world, before, [wallet])
})

test('a lane whose payout can still land is not read before the start of the signer, once that has landed', async () => {
  const before = await createReadySigner(world)
  const wallet = await createPlayerWith(world, { deposited: 10 })
  await withdraw(world, wallet, cotton(5))
  await reviewRequests(before)
  await signApproved(before)
  const signer = await world.newSigner()
  await waitUntil(() => renewLanes(signer))
  for (const { safeSince } of signer.lanes.values()) expect(safeSince).toBeGreaterThan(0n)
  await runUntilSettled(world, before, [wallet])
})

test('a payout never uses a nonce that only one of several nodes reports', async () => {
  const ready = await createReadySigner(world)
  const wallet = await createPlayerWith(world, { deposited: 10 })
  await withdraw(world, wallet, cotton(5))
  await reviewRequests(ready)
  const nonceValue = async () => '9'.repeat(43) as Nonce
  const honest = createNode(world.chain)
  const through = (...nodes: ChainNode[]): Signer => ({
    ...ready,
    chain: { ...world.chain, nonceValue, nodes },
  })
  await signApproved(through(createNode(world.chain, { nonceValue }), honest))
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ signature: null })
  await signApproved(through(createNode(world.chain, { nonceValue }), honest, honest))
  await runUntilSettled(world, ready, [wallet])
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'finalized' })
})

test('an advance offers the price that others pay', async () => {
  await createReadySigner(world)
  const sent: Wire[] = []
  const crowded: Chain = {
    ...world.chain,
    unitPrice: async () => 40_000n,
    send: async (wire, options) => {
      sent.push(wire)
      return world.chain.send(wire, options)
    },
  }
  const signer = await world.newSigner(crowded)
  await waitUntil(() => renewLanes(signer))
  expect(new Set(sent.map(unitPriceOf))).toEqual(new Set([40_000n]))
})

test('an advance that no block includes is signed again with a higher fee, and the last one only is sent', async () => {
  await createReadySigner(world)
  const sent: Wire[] = []
  const lifetimes = new Set<string>()
  let price = 0n
  const crowded: Chain = {
    ...world.chain,
    unitPrice: async () => price,
    async send(wire, options) {
      sent.push(wire)
      lifetimes.add(readTransaction(Buffer.from(wire, 'base64')).message.lifetimeToken)
      if (unitPriceOf(wire) === 40_000n) return world.chain.send(wire, options)
      return { state: 'unknown', detail: 'no block had space for it' }
    },
  }
  const signer = await world.newSigner(crowded)
  const pricesOfRound = async () => {
    sent.length = 0
    expect(await renewLanes(signer)).toBe(false)
    return [...new Set(sent.map(unitPriceOf))]
  }
  expect(await pricesOfRound()).toEqual([0n])
  expect(await pricesOfRound()).toEqual([0n])
  price = 7_000n
  world.clock.skip(30_000)
  expect(await pricesOfRound()).toEqual([7_000n])
  expect(await pricesOfRound()).toEqual([7_000n])
  price = 0n
  world.clock.skip(60_000)
  expect(await pricesOfRound()).toEqual([14_000n])
  // All of a lane use its nonce, so that at most one can land.
  const nonceOf = ({ nonceAccount }: { nonceAccount: Address }) =>
    world.chain.nonceValue(nonceAccount, 'finalized')
  expect(lifetimes).toEqual(new Set(await Promise.all((await lanesOf(signer)).map(nonceOf))))
  price = 40_000n
  world.clock.skip(120_000)
  await waitUntil(() => renewLanes(signer))
})

test('a nonce at a slot in the future is unknown', async () => {
  const [lane] = await lanesOf(await world.newSigner())
  const notBefore = (await world.chain.slot('processed')) + 1_000n
  await expect(world.chain.nonceValue(lane!.nonceAccount, 'finalized', { notBefore })).rejects.toThrow(
    ChainUnavailable,
  )
})

const lanesOf = ({ db }: Signer) =>
  db.rows(
    sql({
      name: 'test-lanes',
      row: rowOf<{ nonceAccount: Address }>(),
      text: 'select nonce_account as "nonceAccount" from lanes order by lane',
    }),
  )
