import type { KeyPairSigner } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { startTestChain, type TestChain } from '#local-chain/test-chain.ts'
import { onMeasurement } from '#server/platform/measure.ts'
import { fakeNodes } from '#tests/support/fake-nodes.ts'
import { ChainUnavailable, type Signature, UnknownTransaction, type Wire } from './port.ts'
import { connectChain } from './solana.ts'
import { signWithBlockhash } from './transactions.ts'

let world: TestChain
let payer: KeyPairSigner

beforeAll(async () => {
  world = await startTestChain()
  payer = await world.wallet()
})
afterAll(() => world.stop())
afterEach(() => void vi.restoreAllMocks())

const fakeNode = fakeNodes(() => world.url)

test('a node that refuses connections, fails, lags or does not respond is skipped', async () => {
  const silent = await fakeNode(() => null)
  const failing = await fakeNode(() => 503)
  const behind = await fakeNode(
    () => 200,
    (method) =>
      method === 'getGenesisHash'
        ? { result: world.chain.facts.genesisHash }
        : { error: { code: -32005, message: 'Node is behind by 900 slots' } },
  )
  const rpcUrls = ['http://127.0.0.1:9', failing, behind, silent, world.url]
  const chain = await connectChain({ isOwnChain: true, rpcUrls, timeoutMs: 2_000 })
  expect(chain.facts.mint).toBe(world.mint)
  expect(await chain.slot('processed')).toBeGreaterThan(0n)
})

test.each([
  ['cannot search its long-term storage', -32019, 'Failed to query long-term storage; please try again'],
  ['does not find the cursor of a history', -32020, 'Transaction not found'],
])('the history that a node %s is read from the next one', async (_what, code, message) => {
  const first = await fakeNode(
    () => 200,
    (method) => (method === 'getSignaturesForAddress' ? { error: { code, message } } : null),
  )
  const chain = await connectChain({ isOwnChain: true, rpcUrls: [first, world.url] })
  expect(await chain.history(payer.address, { limit: 1, commitment: 'finalized' })).toHaveLength(1)
})

test.each([
  ['has used up its plan', 30, 'Request timeout on the free tier, please upgrade your tier to the paid one'],
  ['does not offer the method', -32601, 'Method not found'],
  ['gives up on a scan of accounts', -32012, 'The accumulated scan results exceeded the limit'],
])('a node that %s is not skipped, and the next one answers', async (_what, code, message) => {
  const refusing = await fakeNode(
    () => 200,
    (method) => (method === 'getTokenAccountsByOwner' ? { error: { code, message } } : null),
  )
  const changes: unknown[] = []
  const failed: string[] = []
  onTestFinished(onMeasurement((each) => void (each.of === 'rpc' && !each.ok && failed.push(each.node))))
  const connect = (rpcUrls: string[]) =>
    connectChain({ isOwnChain: true, rpcUrls, onNodeChange: (change) => changes.push(change) })
  const { ownedAccounts } = await connect([refusing, world.url])
  expect(await ownedAccounts(payer.address)).toEqual(await world.chain.ownedAccounts(payer.address))
  await expect((await connect([refusing])).ownedAccounts(payer.address)).rejects.toThrow(ChainUnavailable)
  expect(changes).toEqual([])
  // The operator's metrics show it.
  expect(failed).toContain(new URL(refusing).host)
  expect(failed).not.toContain(new URL(world.url).host)
})

test('a node whose answer has neither a result nor an error is skipped, and the next one answers', async () => {
  const empty = await fakeNode(
    () => 200,
    (method) => (method === 'getSlot' || method === 'getTransaction' ? {} : null),
  )
  const changes: (string | null)[] = []
  const connect = (...rpcUrls: string[]) =>
    connectChain({ isOwnChain: true, rpcUrls, onNodeChange: ({ why }) => changes.push(why) })
  expect(await (await connect(empty, world.url)).slot('processed')).toBeGreaterThan(0n)
  expect(changes).toEqual(['its answer has no result'])
  const alone = await connect(empty)
  const of = { owner: payer.address, tokenAccount: payer.address }
  // It must not pass for a transaction that the node does not know.
  const reads = [alone.slot('processed'), alone.receipt('1'.repeat(64) as Signature, of, 'finalized')]
  for (const read of await Promise.allSettled(reads))
    expect(read).toMatchObject({ status: 'rejected', reason: expect.any(ChainUnavailable) })
})

test('a cursor of a history that no node knows is an error of its own, unless a node does not answer', async () => {
  const forgetful = () =>
    fakeNode(
      () => 200,
      (method) =>
        method === 'getSignaturesForAddress'
          ? { error: { code: -32020, message: 'Transaction not found' } }
          : null,
    )
  const changes: unknown[] = []
  const connect = (...rpcUrls: string[]) =>
    connectChain({ isOwnChain: true, rpcUrls, onNodeChange: (change) => changes.push(change) })
  const query = { limit: 1, commitment: 'finalized' } as const
  const chain = await connect(await forgetful(), await forgetful())
  for (const node of [chain, ...chain.nodes])
    await expect(node.history(payer.address, query)).rejects.toThrow(UnknownTransaction)
  // They have answered, so they are not skipped.
  expect(changes).toEqual([])
  const half = await connect(await forgetful(), await fakeNode(() => 503))
  const error: unknown = await half.history(payer.address, query).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ChainUnavailable)
  expect(error).not.toBeInstanceOf(UnknownTransaction)
})

test('a node whose URL has a user name and a password is used', async () => {
  const rpcUrls = [world.url.replace('//', '//me:hunter2@')]
  const chain = await connectChain({ isOwnChain: true, rpcUrls })
  expect(await chain.slot('finalized')).toBeGreaterThan(0n)
})

test('a failed node is skipped for a while, then used first again; each change is reported once', async () => {
  let status = 503
  let requestCount = 0
  const first = await fakeNode(() => {
    requestCount += 1
    return status
  }, world.url)
  const changes: (string | null)[] = []
  const chain = await connectChain({
    isOwnChain: true,
    rpcUrls: [first, world.url],
    timeoutMs: 2_000,
    onNodeChange: ({ why }) => changes.push(why),
  })
  expect(chain.nodes).toHaveLength(2)
  const before = requestCount
  // Holds on slow machines too: the pauses grow, so the failed node gets few of these calls.
  for (let i = 0; i < 10; i++) await chain.slot('processed')
  expect(requestCount - before).toBeLessThan(5)
  status = 200
  await expect
    .poll(async () => (await chain.slot('processed')) && changes.at(-1), { interval: 200 })
    .toBeNull()
  expect(changes).toEqual(['HTTP 503', null])
})

test('a node that shows no new block for a minute is skipped, although it answers', async () => {
  let slot: number | null = 7
  const first = await fakeNode(
    () => 200,
    (method) => (method === 'getSlot' && slot !== null ? { result: slot } : null),
  )
  const changes: (string | null)[] = []
  const chain = await connectChain({
    isOwnChain: true,
    rpcUrls: [first, world.url],
    onNodeChange: ({ why }) => changes.push(why),
  })
  const alone = await connectChain({ isOwnChain: true, rpcUrls: [first] })
  for (const each of [chain, alone]) expect(await each.slot('finalized')).toBe(7n)
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000)
  // The answer that shows it is used. The next request goes to the other node.
  expect(await chain.slot('finalized')).toBe(7n)
  expect(await chain.slot('finalized')).toBeGreaterThan(7n)
  for (let i = 0; i < 2; i++) expect(await alone.slot('finalized')).toBe(7n)
  expect(changes).toEqual(['it shows no new block'])
  slot = null
  clock.mockImplementation(() => now() + 63_000)
  expect(await chain.slot('processed')).toBeGreaterThan(7n)
  expect(changes).toEqual(['it shows no new block', null])
})

test('a node that once named a slot of the far future is not skipped for that', async () => {
  let slot = 10 ** 12
  const node = await fakeNode(
    () => 200,
    (method) => (method === 'getSlot' ? { result: slot } : null),
  )
  const changes: (string | null)[] = []
  const chain = await connectChain({
    isOwnChain: true,
    rpcUrls: [node, world.url],
    onNodeChange: ({ why }) => changes.push(why),
  })
  expect(await chain.slot('finalized')).toBe(10n ** 12n)
  const now = performance.now.bind(performance)
  for (let seconds = 10; seconds <= 130; seconds += 30) {
    vi.spyOn(performance, 'now').mockImplementation(() => now() + seconds * 1_000)
    slot = 7_000 + seconds
    expect(await chain.slot('finalized')).toBe(BigInt(slot))
  }
  expect(changes).toEqual([])
})

test('a node that is far behind two others is skipped, although it moves; one other is not enough', async () => {
  let compared = 0
  const nodeAt = (slot: number) =>
    fakeNode(
      () => 200,
      (method) => {
        if (method !== 'getSlot') return null
        compared += 1
        return { result: slot }
      },
    )
  const [ahead, alsoAhead] = [await nodeAt(10 ** 9), await nodeAt(10 ** 9 + 1)]
  const changes: (string | null)[] = []
  const chain = await connectChain({
    isOwnChain: true,
    rpcUrls: [world.url, ahead, alsoAhead],
    onNodeChange: ({ why }) => changes.push(why),
  })
  await expect.poll(() => chain.slot('finalized')).toBe(10n ** 9n)
  expect(changes).toEqual(['it is behind two others'])

  const honest = await fakeNode(() => 200, world.url)
  const before = compared
  const other = await connectChain({ isOwnChain: true, rpcUrls: [world.url, ahead, honest] })
  await expect.poll(async () => (await other.slot('processed')) && compared).toBeGreaterThan(before)
  for (let i = 0; i < 5; i++) expect(await other.slot('finalized')).toBeLessThan(10n ** 9n)
})

test('a transaction that a node rejects, or accepts and never forwards, reaches the chain by the next one', async () => {
  const answer = (response: object) =>
    fakeNode(
      () => 200,
      (method) => (method === 'sendTransaction' ? response : null),
    )
  const data = { err: 'BlockhashNotFound', logs: [] }
  const error = { code: -32002, message: 'Transaction simulation failed: Blockhash not found', data }
  const [rejecting, alsoRejecting] = [await answer({ error }), await answer({ error })]
  const silent = await answer({ result: '1'.repeat(64) })
  const pay = async (amount: bigint) =>
    signWithBlockhash(payer, await world.chain.latestBlockhash('confirmed'), [
      getTransferSolInstruction({ source: payer, destination: payer.address, amount }),
    ])
  const send = async (rpcUrls: string[], { wire }: { wire: Wire }, times = 1) => {
    const chain = await connectChain({ isOwnChain: true, rpcUrls })
    let last = await chain.send(wire)
    for (let more = 1; more < times; more++) last = await chain.send(wire)
    return last
  }
  const [one, other, third] = [await pay(1n), await pay(2n), await pay(3n)]
  expect(await send([rejecting, world.url], one)).toEqual({ state: 'accepted', signature: one.signature })
  await send([silent, world.url], other, 2)
  for (const { signature } of [one, other]) await world.until(signature, 'finalized')
  expect(await send([rejecting, alsoRejecting, 'http://127.0.0.1:9'], third, 2)).toMatchObject({
    state: 'rejected',
    reason: 'lifetime_over',
  })
})
