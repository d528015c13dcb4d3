import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import {
  type Address,
  type Chain,
  ChainUnavailable,
  type HistoryItem,
  type Signature,
  UnknownTransaction,
} from '#server/chain/port.ts'
import { refusingUnknown } from '#tests/support/nodes-with-histories.ts'
import { readArrivals, readHistorySince } from './read-arrivals.ts'

const ADDRESS = 'address' as Address
const named = (at: number) => `signature-${at}` as Signature

/** Newest first, a slot for each. */
const newestFirst = (count: number): HistoryItem[] =>
  Array.from({ length: count }, (_, at) => ({
    signature: named(count - at),
    slot: BigInt(count - at),
    failed: false,
    memo: null,
    commitment: 'finalized',
  }))

/** A node at a certain slot that knows nothing later, and returns at most `most` items per page. */
function node({
  items,
  slot = BigInt(items.length),
  most = 1_000,
}: {
  items: HistoryItem[]
  slot?: bigint
  most?: number
}): Chain['history'] {
  const known = items.filter((item) => item.slot <= slot)
  return async (_address, { before, until, limit, notBefore }) => {
    if (notBefore !== undefined && slot < notBefore) throw new ChainUnavailable('the node is behind')
    const from = before === undefined ? 0 : known.findIndex((item) => item.signature === before) + 1
    // Nodes return an empty page for an unknown `before`.
    if (before !== undefined && from === 0) return []
    const end = known.findIndex((item) => item.signature === until)
    return known.slice(from, end < 0 ? undefined : end).slice(0, Math.min(limit, most))
  }
}

const read = (history: Chain['history'], of: Partial<Parameters<typeof readHistorySince>[1]> = {}) =>
  readHistorySince({ history } as Chain, {
    address: ADDRESS,
    cursor: null,
    pageSize: 1_000,
    commitment: 'confirmed',
    ...of,
  })

const slots = (items: HistoryItem[]) => items.map((item) => Number(item.slot))
const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at + 1)

test.each([1, 999, 1_000, 1_001, 2_000, 3_333])(
  'of %i transactions since the cursor none is skipped',
  async (count) => {
    const items = newestFirst(count + 5)
    expect(slots(await read(node({ items }), { cursor: named(5) }))).toEqual(upTo(5, count + 5))
    expect(slots(await read(node({ items })))).toEqual(upTo(0, count + 5))
  },
)

test('a page with fewer items than requested is not the end', async () => {
  expect(slots(await read(node({ items: newestFirst(2_345), most: 100 })))).toEqual(upTo(0, 2_345))
})

test('a second page from a lagging node leaves no gap', async () => {
  const items = newestFirst(2_500)
  const ahead = node({ items })
  const behind = node({ items, slot: 1_200n })
  let pages = 0
  const history: Chain['history'] = (...args) => (pages++ === 1 ? behind(...args) : ahead(...args))
  await expect(read(history)).rejects.toBeInstanceOf(ChainUnavailable)
  expect(slots(await read(history))).toEqual(upTo(0, 2_500))
})

test('a node behind the final slot does not answer at all', async () => {
  const behind = node({ items: newestFirst(10), slot: 4n })
  await expect(read(behind, { notBefore: 8n })).rejects.toBeInstanceOf(ChainUnavailable)
})

test('from a cursor that no node knows any more, all that they have is read', async () => {
  const forgetful = refusingUnknown(...newestFirst(3).toReversed())
  expect(slots(await read(forgetful, { cursor: named(9), pageSize: 2 }))).toEqual([1, 2, 3])
})

test('a cursor is not given up for a node that does not answer', async () => {
  const known = node({ items: newestFirst(3) })
  const history: Chain['history'] = (address, query) =>
    query.until === undefined
      ? known(address, query)
      : Promise.reject(new ChainUnavailable('no answer in time'))
  await expect(read(history, { cursor: named(1) })).rejects.toBeInstanceOf(ChainUnavailable)
})

test('a second page whose begin is not known leaves no gap', async () => {
  const first = node({ items: newestFirst(5), most: 2 })
  let pages = 0
  const history: Chain['history'] = (...of) => (pages++ === 0 ? first(...of) : refusingUnknown()(...of))
  await expect(read(history)).rejects.toBeInstanceOf(UnknownTransaction)
})

test('a transaction that nodes list twice, in one page or in two, is read once', async () => {
  const [newest, middle, oldest] = newestFirst(3)
  const pages = [
    [newest!, newest!, middle!],
    [middle!, oldest!],
  ]
  expect(slots(await read(async () => pages.shift() ?? []))).toEqual([1, 2, 3])
})

test('a node that ignores paging does not cause an endless loop', async () => {
  const page = newestFirst(10)
  await expect(read(async () => page)).rejects.toBeInstanceOf(ChainUnavailable)
})

const readOne = (chain: { nodes: Pick<Chain, 'receipt'>[]; receipt: Chain['receipt'] }) => {
  const of = { owner: ADDRESS, tokenAccount: ADDRESS, history: ADDRESS, largeFrom: cotton(1) }
  return readArrivals(chain as unknown as Chain, of, newestFirst(1))
}

test('a failure of the only node to return a transaction is an outage, and no gap', async () => {
  const outage = new ChainUnavailable('no node answers')
  await expect(readOne({ nodes: [], receipt: () => Promise.reject(outage) })).rejects.toBe(outage)
})

test('an unexpected error is not taken for a node that does not answer, whatever two nodes say then', async () => {
  const error = new Error('a bug')
  const node = { receipt: async () => null }
  await expect(readOne({ nodes: [node, node], receipt: () => Promise.reject(error) })).rejects.toBe(error)
})
