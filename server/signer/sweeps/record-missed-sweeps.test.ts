import { randomUUID } from 'node:crypto'
import { getAddMemoInstruction, LEGACY_MEMO_PROGRAM_ADDRESS_V3 } from '@solana-program/memo'
import { getTransferCheckedInstruction } from '@solana-program/token'
import { afterEach, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import {
  type Chain,
  type ChainNode,
  ChainUnavailable,
  type HistoryItem,
  type Signature,
} from '#server/chain/port.ts'
import { signWithBlockhash } from '#server/chain/transactions.ts'
import { createPlayerWith } from '#tests/support/chain-test-players.ts'
import { runQuery, waitUntil } from '#tests/support/chain-test-world.ts'
import { createNode, withOneNode } from '#tests/support/nodes.ts'
import { showing } from '#tests/support/nodes-with-histories.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { recordMissedSweeps } from './record-missed-sweeps.ts'
import { sweepDeposits } from './sweep-deposits.ts'

const world = setUpChainTestWorld()

const forgetCursor = () => runQuery(world.owner, `delete from settings where name = 'sweeps_read_to'`)

afterEach(forgetCursor)

const recordMissed = async (chain: Chain = world.chain) => {
  const signer = await world.newSigner(chain)
  return recordMissedSweeps({ ...signer, treasury: signer.treasury.address })
}

const storedSweeps = () =>
  runQuery<{ signature: string; amount: bigint; state: string }>(
    world.owner,
    'select signature, amount, state from sweeps order by at, signature',
  )

/** Sweeps one new deposit and returns the signature. */
async function swept(amount: number): Promise<string> {
  await createPlayerWith(world, { deposited: amount })
  const before = new Set((await storedSweeps()).map((each) => each.signature))
  const signer = await world.newSigner()
  await waitUntil(async () => {
    await sweepDeposits(signer)
    const fresh = (await storedSweeps()).filter((each) => !before.has(each.signature))
    return fresh.length === 1 && fresh[0]!.state === 'finalized'
  })
  return (await storedSweeps()).find((each) => !before.has(each.signature))!.signature
}

test('a missing sweep is recorded when two nodes show it, and only once', async () => {
  const signature = await swept(5)
  await runQuery(world.owner, 'delete from sweeps')
  const receipt: Chain['receipt'] = async () => null
  const one = { ...world.chain, nodes: [createNode(world.chain), createNode(world.chain, { receipt })] }
  expect(await recordMissed(one)).toEqual({ recorded: 0, done: false })
  const two = { ...world.chain, nodes: [createNode(world.chain), createNode(world.chain)] }
  expect(await recordMissed(two)).toEqual({ recorded: 1, done: true })
  await forgetCursor()
  const again = await Promise.all([recordMissed(), recordMissed(two)])
  expect(again.map(({ recorded }) => recorded)).toEqual([0, 0])
  expect(await storedSweeps()).toEqual([{ signature, amount: cotton(5), state: 'finalized' }])
})

test('a missing sweep in the gap of one node is recorded, and the cursor does not pass it before', async () => {
  const signature = await swept(9)
  await runQuery(world.owner, 'delete from sweeps where signature = $1', [signature])
  const history: Chain['history'] = async (...of) =>
    (await world.chain.history(...of)).filter((item) => item.signature !== signature)
  const silent: Chain['history'] = () => Promise.reject(new ChainUnavailable('no answer in time'))
  const gap = createNode(world.chain, { history })
  const chainOf = (other: ChainNode): Chain => ({ ...world.chain, history, nodes: [gap, other] })
  const alone = chainOf(createNode(world.chain, { history: silent }))
  expect(await recordMissed(alone)).toEqual({ recorded: 0, done: false })
  expect(await recordMissed(chainOf(createNode(world.chain)))).toEqual({ recorded: 1, done: true })
  expect(await storedSweeps()).toContainEqual({ signature, amount: cotton(9), state: 'finalized' })
})

test('a sweep that was marked failed and landed after all becomes finalized', async () => {
  const signature = await swept(6)
  await runQuery(world.owner, `update sweeps set state = 'failed', amount = 1 where signature = $1`, [
    signature,
  ])
  expect(await recordMissed()).toEqual({ recorded: 1, done: true })
  expect(await storedSweeps()).toContainEqual({ signature, amount: cotton(6), state: 'finalized' })
})

test('the memo of a stranger records no sweep', async () => {
  const before = await storedSweeps()
  const wallet = await world.wallet()
  await world.waitUntilFinal(await world.gift(wallet.address, cotton(3)))
  const { treasuryTokens } = await world.newSigner()
  const { mint, decimals } = world.chain.facts
  const lifetime = await world.chain.latestBlockhash('confirmed')
  const { wire, signature } = await signWithBlockhash(wallet.signer, lifetime, [
    getTransferCheckedInstruction({
      source: await world.chain.tokenAccountOf(wallet.signer.address),
      mint,
      destination: treasuryTokens,
      authority: wallet.signer,
      amount: cotton(3),
      decimals,
    }),
    getAddMemoInstruction({ memo: `s:${randomUUID()}` }, { programAddress: LEGACY_MEMO_PROGRAM_ADDRESS_V3 }),
  ])
  await world.chain.send(wire)
  await world.waitUntilFinal(signature)
  expect(await recordMissed()).toEqual({ recorded: 0, done: true })
  expect(await storedSweeps()).toEqual(before)
})

test('a sweep that waits is read later, wherever another node shows it in its slot', async () => {
  const sweep = (await swept(8)) as Signature
  await runQuery(world.owner, 'delete from sweeps where signature = $1', [sweep])
  const chainWith = (order: 'sweep last' | 'sweep first', receipt: Chain['receipt']): Chain => ({
    ...world.chain,
    receipt,
    async history(address, query) {
      const { commitment } = query
      const newestFirst = await world.chain.history(address, { limit: 1_000, commitment })
      const items = newestFirst.toReversed().flatMap((item) => {
        if (item.signature !== sweep) return [item]
        const other: HistoryItem = { ...item, signature: 'other' as Signature, memo: null }
        return order === 'sweep last' ? [other, item] : [item, other]
      })
      return showing(...items)(address, query)
    },
  })
  const unseen = chainWith('sweep last', async () => null)
  expect(await recordMissed(withOneNode(unseen))).toEqual({ recorded: 0, done: false })
  const seen = chainWith('sweep first', world.chain.receipt)
  expect(await recordMissed(withOneNode(seen))).toEqual({ recorded: 1, done: true })
  expect(await storedSweeps()).toContainEqual({ signature: sweep, amount: cotton(8), state: 'finalized' })
})

test('a round looks up a limited number of strangers’ memos, and the next one continues after their slot', async () => {
  const signature = await swept(7)
  await runQuery(world.owner, 'delete from sweeps where signature = $1', [signature])
  const strangers = Array.from({ length: 1_000 }, (_, at): HistoryItem => ({
    signature: `stranger-${String(at).padStart(4, '0')}` as Signature,
    // Three in each slot, all before those of the chain.
    slot: BigInt(Math.floor(at / 3) - 1_000),
    failed: false,
    memo: `[38] s:${randomUUID()}`,
    commitment: 'finalized',
  })).toReversed()
  let lookups = 0
  const chain: Chain = {
    ...world.chain,
    async history(address, { before, until: end, limit, ...query }) {
      const all = [...(await world.chain.history(address, { limit: 1_000, ...query })), ...strangers]
      const from = before ? all.findIndex((item) => item.signature === before) + 1 : 0
      const to = all.findIndex((item) => item.signature === end)
      return all.slice(from, to < 0 ? undefined : to).slice(0, limit)
    },
    async receipt(of, ...rest) {
      if (!of.startsWith('stranger')) return world.chain.receipt(of, ...rest)
      lookups++
      const real = await world.chain.receipt(signature as Signature, ...rest)
      return real && { ...real, signature: of, amount: 0n, changes: [] }
    },
  }
  const calls: number[] = []
  for (let done = false; !done;) {
    const before = lookups
    done = (await recordMissed(withOneNode(chain))).done
    calls.push(lookups - before)
  }
  expect(calls).toEqual([402, 402, 196])
  expect(await storedSweeps()).toContainEqual({ signature, amount: cotton(7), state: 'finalized' })
})
