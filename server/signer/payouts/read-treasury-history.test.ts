import { expect, test } from 'vitest'
import {
  type Address,
  type Chain,
  ChainUnavailable,
  type HistoryItem,
  type Signature,
} from '#server/chain/port.ts'
import { refusingUnknown, showing } from '#tests/support/nodes-with-histories.ts'
import type { HistoryCursor } from './history-cursor.ts'
import { readTreasuryHistory } from './read-treasury-history.ts'

const item = (name: string, slot: bigint, memo: string | null = null): HistoryItem => ({
  signature: name as Signature,
  slot,
  failed: false,
  memo,
  commitment: 'finalized',
})

const [a, b, c] = [item('a', 1n), item('b', 2n), item('c', 3n)]

const silent: Chain['history'] = () => Promise.reject(new ChainUnavailable('no answer in time'))
const hanging: Chain['history'] = () => new Promise(() => {})

function read(histories: Chain['history'][], cursor: HistoryCursor | null = null) {
  const nodes = histories.map((history) => ({ history }))
  const chain = { ...nodes[0], nodes } as unknown as Chain
  return readTreasuryHistory(chain, { address: 'treasury' as Address, cursor, pageSize: 2 })
}

test('what one node hides is read from another, and the cursor passes it behind what both show', async () => {
  const [whole, gap] = [showing(a, b, c), showing(a, c)]
  for (const histories of [
    [whole, gap],
    [gap, whole],
  ])
    expect(await read(histories)).toEqual({ items: [a, b, c], shared: [a, c] })
})

test('the cursor does not pass what only one node has reached', async () => {
  expect(await read([showing(a, b, c), showing(a)])).toEqual({ items: [a, b, c], shared: [a] })
  expect(await read([showing(a), showing()])).toEqual({ items: [a], shared: [] })
})

test('the only node is believed', async () => {
  expect(await read([showing(a, b, c)])).toEqual({ items: [a, b, c], shared: [a, b, c] })
  await expect(read([silent])).rejects.toThrow(ChainUnavailable)
})

test('transactions of one slot have one order, whatever the order of the nodes', async () => {
  const sameSlot = item('aa', 2n)
  const found = { items: [a, sameSlot, b, c], shared: [a, sameSlot, b, c] }
  const [one, other] = [showing(a, sameSlot, b, c), showing(a, b, sameSlot, c)]
  expect(await read([one, other])).toEqual(found)
  expect(await read([other, one])).toEqual(found)
})

test('a transaction that nodes show in different slots, or with different memos, is read as each shows it', async () => {
  const [later, named] = [item('b', 9n), item('c', 3n, '[1] w')]
  expect(await read([showing(a, b), showing(a, later)])).toEqual({ items: [a, b, later], shared: [a] })
  expect((await read([showing(a, c), showing(a, named)]))?.items).toEqual([a, c, named])
})

test('a node that does not know the transaction of the cursor shows what is newer, and nothing before it again', async () => {
  const { signature, slot } = b
  for (const gap of [showing(a, c), refusingUnknown(a, c)])
    expect(await read([showing(a, b, c), gap], { signature, slot })).toEqual({ items: [c], shared: [c] })
  expect(await read([refusingUnknown(c)], { signature, slot })).toEqual({ items: [c], shared: [c] })
  // An earlier release has stored no slot.
  expect((await read([showing(a, b, c), showing(a, c)], { signature, slot: null }))?.items).toEqual([a, c])
})

test('a node that does not answer is not waited for if two others do', async () => {
  const found = { items: [a], shared: [a] }
  for (const without of [silent, hanging])
    expect(await read([without, showing(a), showing(a)])).toEqual(found)
  expect(await read([silent, showing(a)])).toBeNull()
})
