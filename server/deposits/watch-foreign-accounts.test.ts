import { pino } from 'pino'
import { expect } from 'vitest'
import { type Address, type Chain, ChainUnavailable } from '#server/chain/port.ts'
import type { Db } from '#server/platform/db/db.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { test } from '#tests/support/test-world.ts'
import { newForeignProgress, scanForeignAccounts } from './watch-foreign-accounts.ts'

const ownerOf = (index: number) => `owner ${index}` as Address
const ownersFrom = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => ownerOf(from + at))

/** Makes the addresses 1 to `count` those of players. */
async function assign(db: Db, count: number): Promise<void> {
  await runQuery(db, 'delete from deposit_addresses')
  await runQuery(
    db,
    `insert into deposit_addresses (index, owner, token_account, wallet, assigned_at)
     select n, 'owner ' || n, 'account ' || n, 'wallet ' || n, now() from generate_series(1, $1::int) n`,
    [count],
  )
}

function nodeWithoutTokens(beforeAnswer: (owner: Address) => unknown = () => {}) {
  const asked: Address[] = []
  const chain: Partial<Chain> = {
    async ownedAccounts(owner) {
      asked.push(owner)
      await beforeAnswer(owner)
      return []
    },
  }
  return { chain: chain as Chain, asked }
}

test('the accounts of ten owners are read per round, in rotation', async ({ world: { db, clock } }) => {
  await assign(db, 20)
  const { chain, asked } = nodeWithoutTokens()
  const progress = newForeignProgress()
  const log = pino({ level: 'silent' })
  for (const expected of [ownersFrom(1, 10), ownersFrom(11, 20), [], ownersFrom(1, 10)]) {
    await scanForeignAccounts({ db, chain, clock, log }, progress)
    expect(asked.splice(0)).toEqual(expected)
  }
  expect(progress.round).toBe(4)
})

test('a round without a node is continued by the next, and an owner that cannot be read is logged', async ({
  world: { db, clock },
}) => {
  await assign(db, 5)
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  let failure: Error = new ChainUnavailable('no answer in time')
  const { chain, asked } = nodeWithoutTokens((owner) => {
    if (owner === ownerOf(3)) throw failure
  })
  const progress = newForeignProgress()
  const round = () => scanForeignAccounts({ db, chain, clock, log }, progress)
  await expect(round()).rejects.toBeInstanceOf(ChainUnavailable)
  expect(asked.splice(0)).toEqual(ownersFrom(1, 3))
  expect(lines).toEqual([])
  failure = new TypeError('a bug')
  await round()
  expect(asked).toEqual(ownersFrom(3, 5))
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ owner: ownerOf(3), err: expect.objectContaining({ message: 'a bug' }) }),
  ])
})

test('an owner for whom no node answers twice is skipped until its next turn', async ({
  world: { db, clock },
}) => {
  await assign(db, 5)
  const { chain, asked } = nodeWithoutTokens((owner) => {
    if (owner === ownerOf(3)) throw new ChainUnavailable('it has too many accounts')
  })
  const progress = newForeignProgress()
  const round = () => scanForeignAccounts({ db, chain, clock, log: pino({ level: 'silent' }) }, progress)
  for (const expected of [ownersFrom(1, 3), ownersFrom(3, 3)]) {
    await expect(round()).rejects.toBeInstanceOf(ChainUnavailable)
    expect(asked.splice(0)).toEqual(expected)
  }
  await round()
  expect(asked.splice(0)).toEqual(ownersFrom(4, 5))
  await expect(round()).rejects.toBeInstanceOf(ChainUnavailable)
  expect(asked).toEqual(ownersFrom(1, 3))
})

test('a known account whose history no node shows twice is skipped until its next turn', async ({
  world: { db, clock },
}) => {
  await assign(db, 3)
  await runQuery(
    db,
    `insert into receipts (signature, token_account, wallet, asset, mint, amount, slot, state, why, seen_at)
     select 'signature ' || n, 'foreign ' || n, 'wallet ' || n, 'other_token', 'mint', 1, 1, 'unclaimed', 'other_token',
       now()
     from generate_series(1, 3) n`,
  )
  const { chain: withoutTokens, asked } = nodeWithoutTokens()
  const read: Address[] = []
  const chain: Chain = {
    ...withoutTokens,
    tokenAccounts: async (accounts) =>
      accounts.map((account) => ({
        owner: account.replace('foreign', 'owner') as Address,
        mint: 'mint' as Address,
        amount: 2n,
        frozen: false,
      })),
    async history(account) {
      read.push(account)
      if (account === 'foreign 2') throw new ChainUnavailable('no answer in time')
      return []
    },
  }
  const progress = newForeignProgress()
  const round = () => scanForeignAccounts({ db, chain, clock, log: pino({ level: 'silent' }) }, progress)
  for (const expected of [['foreign 1', 'foreign 2'], ['foreign 2']]) {
    await expect(round()).rejects.toBeInstanceOf(ChainUnavailable)
    expect(read.splice(0)).toEqual(expected)
  }
  expect(asked).toEqual([])
  await round()
  expect(read).toEqual(['foreign 3'])
  expect(asked).toEqual(ownersFrom(1, 3))
  await runQuery(db, 'delete from receipts')
})
