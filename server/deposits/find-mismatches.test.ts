import { expect } from 'vitest'
import { type Address, type Chain, ChainUnavailable } from '#server/chain/port.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { test } from '#tests/support/test-world.ts'
import { findMismatches, readActiveGroup, type WatchedAddress } from './find-mismatches.ts'

const address = (index: number, of: Partial<WatchedAddress> = {}): WatchedAddress => ({
  index,
  wallet: `wallet ${index}`,
  owner: `owner ${index}` as Address,
  tokenAccount: `account ${index}` as Address,
  expected: 5n,
  sweeping: 0n,
  ...of,
})

const addresses = (count: number) => Array.from({ length: count }, (_, at) => address(at + 1))

/** A node at confirmed slot 8 on which every account holds this amount. It records its calls. */
function nodeWithBalances(amount: bigint, beforeAnswer: () => unknown = () => {}) {
  const asked: string[][] = []
  const chain: Pick<Chain, 'tokenBalances'> = {
    async tokenBalances(accounts, { notBefore, commitment }) {
      if (notBefore > 8n || commitment !== 'confirmed') throw new ChainUnavailable('the node is behind')
      asked.push([...accounts])
      await beforeAnswer()
      return { slot: 8n, amounts: accounts.map(() => amount) }
    },
  }
  return { chain, asked }
}

test('the balances of 850 addresses are read in nine calls, at most four at once', async () => {
  let open = 0
  let most = 0
  const group = addresses(850)
  const { chain, asked } = nodeWithBalances(1n, async () => {
    most = Math.max(most, ++open)
    await Promise.resolve()
    open -= 1
  })
  const found = await findMismatches(chain, group, { notBefore: 8n })
  expect(found).toEqual(group.map((each) => ({ ...each, amount: 1n })))
  expect(asked.map((accounts) => accounts.length)).toEqual([...Array<number>(8).fill(100), 50])
  expect(asked.flat()).toEqual(group.map((each) => each.tokenAccount))
  expect(most).toBe(4)
})

test('a balance of a slot before the given one is not compared', async () => {
  const { chain } = nodeWithBalances(5n)
  expect(await findMismatches(chain, addresses(3), { notBefore: 8n })).toEqual([])
  await expect(findMismatches(chain, addresses(3), { notBefore: 9n })).rejects.toBeInstanceOf(
    ChainUnavailable,
  )
})

test('during a sweep, the balances before and after it are expected, and no other', async () => {
  const isMismatch = async (amount: bigint) => {
    const sweeping = address(1, { expected: 7n, sweeping: 4n })
    return (await findMismatches(nodeWithBalances(amount).chain, [sweeping], { notBefore: 8n })).length > 0
  }
  expect(await isMismatch(7n)).toBe(false)
  expect(await isMismatch(3n)).toBe(false)
  for (const amount of [0n, 4n, 8n, 11n]) expect(await isMismatch(amount)).toBe(true)
})

test('of the active addresses, the 400 that were active last are compared', async ({ world }) => {
  await runQuery(
    world.db,
    `insert into deposit_addresses (index, owner, token_account, wallet, assigned_at, lively_at)
     select n, 'owner ' || n, 'account ' || n, 'wallet ' || n, now(), $1::timestamptz + n * interval '1 second'
     from generate_series(1, 410) n`,
    [world.clock.now()],
  )
  const read = async () => (await readActiveGroup(world.db, world.clock.now())).map(({ index }) => index)
  expect(await read()).toEqual(Array.from({ length: 400 }, (_, at) => 410 - at))
  // A clock that was ahead has marked all but five.
  await runQuery(
    world.db,
    `update deposit_addresses set lively_at = lively_at + interval '30 days' where index > 5`,
  )
  expect(await read()).toEqual([5, 4, 3, 2, 1])
})
