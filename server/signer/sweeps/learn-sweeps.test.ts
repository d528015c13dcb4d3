import { randomUUID } from 'node:crypto'
import { getAddMemoInstruction, LEGACY_MEMO_PROGRAM_ADDRESS_V3 } from '@solana-program/memo'
import { getTransferCheckedInstruction } from '@solana-program/token'
import { afterEach, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { Chain, HistoryItem, Signature } from '#server/chain/port.ts'
import { signWithBlockhash } from '#server/chain/transactions.ts'
import { playerWith } from '#tests/support/money-players.ts'
import { ask, until } from '#tests/support/money-world.ts'
import { nodeOver, overOneNode } from '#tests/support/nodes.ts'
import { moneyWorld } from '#tests/support/one-money-world.ts'
import { learnSweeps } from './learn-sweeps.ts'
import { sweepDeposits } from './sweep-deposits.ts'

const world = moneyWorld()

const forgetCursor = () => ask(world.owner, `delete from settings where name = 'sweeps_read_to'`)

afterEach(forgetCursor)

const learn = async (chain: Chain = world.chain) => {
  const signer = await world.newSigner(chain)
  return learnSweeps({ ...signer, treasury: signer.treasury.address })
}

const booked = () =>
  ask<{ signature: string; amount: bigint; state: string }>(
    world.owner,
    'select signature, amount, state from sweeps order by at, signature',
  )

/** The signature of a sweep of one new deposit. */
async function swept(amount: number): Promise<string> {
  await playerWith(world, { deposited: amount })
  const before = new Set((await booked()).map((each) => each.signature))
  const signer = await world.newSigner()
  await until(async () => {
    await sweepDeposits(signer)
    const fresh = (await booked()).filter((each) => !before.has(each.signature))
    return fresh.length === 1 && fresh[0]!.state === 'finalized'
  })
  return (await booked()).find((each) => !before.has(each.signature))!.signature
}

test('a forgotten sweep is booked once two nodes show it, and only once', async () => {
  const signature = await swept(5)
  await ask(world.owner, 'delete from sweeps')
  const receipt: Chain['receipt'] = async () => null
  const one = { ...world.chain, nodes: [nodeOver(world.chain), nodeOver(world.chain, { receipt })] }
  expect(await learn(one)).toEqual({ learned: 0, done: false })
  const two = { ...world.chain, nodes: [nodeOver(world.chain), nodeOver(world.chain)] }
  expect(await learn(two)).toEqual({ learned: 1, done: true })
  await forgetCursor()
  const again = await Promise.all([learn(), learn(two)])
  expect(again.map(({ learned }) => learned)).toEqual([0, 0])
  expect(await booked()).toEqual([{ signature, amount: cotton(5), state: 'finalized' }])
})

test('a sweep that the books gave up, and that landed all the same, is put right', async () => {
  const signature = await swept(6)
  await ask(world.owner, `update sweeps set state = 'failed', amount = 1 where signature = $1`, [signature])
  expect(await learn()).toEqual({ learned: 1, done: true })
  expect(await booked()).toContainEqual({ signature, amount: cotton(6), state: 'finalized' })
})

test('the memo of a stranger books no sweep', async () => {
  const before = await booked()
  const wallet = await world.wallet()
  await world.final(await world.gift(wallet.address, cotton(3)))
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
  await world.final(signature)
  expect(await learn()).toEqual({ learned: 0, done: true })
  expect(await booked()).toEqual(before)
})

test('a round looks up some of the memos of strangers, and the next one goes on behind them', async () => {
  const signature = await swept(7)
  await ask(world.owner, 'delete from sweeps where signature = $1', [signature])
  const strangers = Array.from({ length: 1_000 }, (_, at): HistoryItem => ({
    signature: `stranger-${String(at).padStart(4, '0')}` as Signature,
    slot: 1n,
    failed: false,
    memo: `[38] s:${randomUUID()}`,
    commitment: 'finalized',
  })).toReversed()
  let asked = 0
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
      asked++
      const real = await world.chain.receipt(signature as Signature, ...rest)
      return real && { ...real, signature: of, amount: 0n, changes: [] }
    },
  }
  const calls: number[] = []
  for (let done = false; !done;) {
    const before = asked
    done = (await learn(overOneNode(chain))).done
    calls.push(asked - before)
  }
  expect(calls).toEqual([400, 400, 200])
  expect(await booked()).toContainEqual({ signature, amount: cotton(7), state: 'finalized' })
})
