import { beforeEach, expect } from 'vitest'
import type { Address, Chain, Receipt, Signature } from '#server/chain/port.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { countDbStatements, type StatementLog } from '#tests/support/count-statements.ts'
import { createChainWithHistories, createReceipt } from '#tests/support/nodes-with-histories.ts'
import { test as worldTest, type TestWorld } from '#tests/support/test-world.ts'
import {
  findUnrecorded,
  findUnrecordedAmong,
  type ForeignRounds,
  recordForeignTokens,
} from './foreign-tokens.ts'
import type { AssignedAddress } from './take-address.ts'
import { UnexplainedBalances } from './unexplained-balances.ts'

const MINT = 'a mint' as Address
const [WRONG, OTHER] = ['a foreign account', 'another foreign account'] as [Address, Address]
const player: AssignedAddress = {
  wallet: 'wallet',
  owner: 'owner' as Address,
  tokenAccount: 'derived account' as Address,
  assignedSlot: null,
}

/** Each test begins with one player, to whom nothing was sent. */
const test = worldTest.extend('emptied', { auto: true }, async ({ world }) => {
  await runQuery(world.db, 'delete from receipts')
  await runQuery(world.db, 'delete from deposit_addresses')
  await runQuery(
    world.db,
    `insert into deposit_addresses (index, owner, token_account, wallet, assigned_at) values (1, $1, $2, $3, now())`,
    [player.owner, player.tokenAccount, player.wallet],
  )
  return null
})

let rounds: ForeignRounds

beforeEach(() => {
  rounds = { round: 1, unexplained: new UnexplainedBalances() }
})

const scanDeps = ({ db, clock }: TestWorld, chain: Chain) => ({ db, chain, clock })

const addReceipt = ({ db }: TestWorld, signature: string, account: Address, amount: bigint) =>
  runQuery(
    db,
    `insert into receipts (signature, token_account, wallet, asset, mint, amount, slot, state, why, seen_at)
     values ($1, $2, $3, 'other_token', $4, $5, 1, 'unclaimed', 'other_token', now())`,
    [signature, account, player.wallet, MINT, amount],
  )

const recorded = ({ db }: TestWorld) =>
  runQuery<{ account: string; amount: string }>(
    db,
    'select token_account as account, amount::text from receipts order by receipts.amount',
  )

/** A transaction that brought these amounts to foreign accounts of the player. */
function transfer(name: string, slot: bigint, amounts: [Address, bigint][], of: Partial<Receipt> = {}) {
  const unsupported = amounts.map(([account, amount]) => ({
    account,
    amount,
    mint: MINT,
    tokenProgram: MINT,
  }))
  const accounts = amounts.map(([account]) => account)
  return createReceipt({ signature: name as Signature, slot, unsupported, accounts, ...of })
}

test('only foreign accounts that hold more than is recorded are due', async ({ world }) => {
  await addReceipt(world, 'old', WRONG, 5n)
  const find = (owned: [Address, bigint][]) => {
    const chain: Partial<Chain> = {
      ownedAccounts: async () => owned.map(([address, amount]) => ({ address, mint: MINT, amount })),
    }
    return findUnrecorded(scanDeps(world, chain as Chain), player, rounds)
  }
  expect(await find([])).toEqual([])
  expect(
    await find([
      [player.tokenAccount, 100n],
      [WRONG, 5n],
      [OTHER, 0n],
    ]),
  ).toEqual([])
  expect(
    await find([
      [player.tokenAccount, 100n],
      [WRONG, 6n],
      [OTHER, 1n],
    ]),
  ).toEqual([
    { tokenAccount: WRONG, amount: 6n, expected: 5n },
    { tokenAccount: OTHER, amount: 1n, expected: 0n },
  ])
})

/** What is due of the account, of which `expected` is recorded and which holds `amount`. */
async function findDue(of: { amount: bigint; expected: bigint }) {
  const chain: Partial<Chain> = {
    tokenAccounts: async (accounts) =>
      accounts.map(() => ({ owner: player.owner, mint: MINT, amount: of.amount, frozen: false })),
  }
  const known = { ...player, account: WRONG, recorded: of.expected.toString() }
  return (await findUnrecordedAmong(chain as Chain, [known], rounds))[0]
}

test('a known account that holds what is recorded is not due', async () => {
  expect(await findDue({ amount: 5n, expected: 5n })).toBeNull()
  expect(await findDue({ amount: 4n, expected: 5n })).toBeNull()
  expect(await findDue({ amount: 6n, expected: 5n })).toEqual({
    tokenAccount: WRONG,
    amount: 6n,
    expected: 5n,
  })
})

test.for([
  [10, 1],
  [1, 3],
])(
  'a history is read back only as far as needed: in pages of %i, to page %i',
  async ([most, pages], { world }) => {
    await addReceipt(world, 'one', WRONG, 5n)
    const history = [
      transfer('one', 1n, [[WRONG, 5n]]),
      transfer('two', 2n, [[WRONG, 6n]]),
      transfer('failed', 3n, [[WRONG, 8n]], { failed: true }),
      transfer('three', 4n, [
        [WRONG, 7n],
        [OTHER, 50n],
      ]),
    ]
    const { chain, asked } = createChainWithHistories({ [WRONG]: history }, { most })
    const tokens = { tokenAccount: WRONG, amount: 18n, expected: 5n }
    await recordForeignTokens(scanDeps(world, chain), player, tokens, rounds)
    expect(asked.pages).toHaveLength(pages!)
    expect(asked.receipts).toEqual(['three', 'two'])
    expect(await recorded(world)).toEqual([
      { account: WRONG, amount: '5' },
      { account: WRONG, amount: '6' },
      { account: WRONG, amount: '7' },
      { account: OTHER, amount: '50' },
    ])
  },
)

test('tokens whose transaction a node lists twice are recorded once', async ({ world }) => {
  const [one, two] = [transfer('one', 1n, [[WRONG, 5n]]), transfer('two', 2n, [[WRONG, 6n]])]
  const { chain } = createChainWithHistories({ [WRONG]: [one, two, two] })
  const tokens = { tokenAccount: WRONG, amount: 11n, expected: 0n }
  await recordForeignTokens(scanDeps(world, chain), player, tokens, rounds)
  expect(await recorded(world)).toEqual([
    { account: WRONG, amount: '5' },
    { account: WRONG, amount: '6' },
  ])
})

/** The rounds of eight in which the history was read, for a balance of 7 units. */
async function readIn(world: TestWorld, chain: Chain): Promise<number[]> {
  const numbers: number[] = []
  for (rounds.round = 1; rounds.round <= 8; rounds.round++) {
    const sum = (await recorded(world)).reduce((total, { amount }) => total + BigInt(amount), 0n)
    const due = await findDue({ amount: 7n, expected: sum })
    if (!due) continue
    await recordForeignTokens(scanDeps(world, chain), player, due, rounds)
    numbers.push(rounds.round)
  }
  return numbers
}

test('a history that does not explain a balance is read less and less often', async ({ world }) => {
  const { chain } = createChainWithHistories({})
  expect(await readIn(world, chain)).toEqual([1, 2, 4, 8])
})

test('a history that explains a part of a balance is read less and less often, too', async ({ world }) => {
  const { chain } = createChainWithHistories({ [WRONG]: [transfer('part', 1n, [[WRONG, 2n]])] })
  // After the first round less is unexplained, so the second reads at once.
  expect(await readIn(world, chain)).toEqual([1, 2, 3, 5])
})

test('a history is read in every round while a node does not return one of its transactions', async ({
  world,
}) => {
  const history = [transfer('shown', 1n, [[WRONG, 2n]]), transfer('missing', 2n, [[WRONG, 5n]])]
  const { chain } = createChainWithHistories({ [WRONG]: history })
  const lagging: Chain = {
    ...chain,
    receipt: async (signature, ...args) =>
      signature === 'missing' ? null : chain.receipt(signature, ...args),
  }
  expect(await readIn(world, lagging)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(await recorded(world)).toEqual([{ account: WRONG, amount: '2' }])
  expect(await readIn(world, chain)).toEqual([1])
})

test('of a history of any length the newest thousand transactions are read, also if a page is repeated', async ({
  world,
}) => {
  const long = Array.from({ length: 1_100 }, (_, at) => transfer(`dust ${at}`, BigInt(at + 1), []))
  const { chain, asked } = createChainWithHistories({ [WRONG]: long })
  const tokens = { tokenAccount: WRONG, amount: 7n, expected: 0n }
  await recordForeignTokens(scanDeps(world, chain), player, tokens, rounds)
  expect(asked.pages).toHaveLength(20)
  const repeating: Chain = {
    ...chain,
    history: (address, query) => chain.history(address, { ...query, before: undefined }),
  }
  await recordForeignTokens(scanDeps(world, repeating), player, tokens, rounds)
  expect(asked.pages).toHaveLength(40)
})

test('without tokens in foreign accounts, nothing is read from the database', async ({ world }) => {
  const log: StatementLog = { names: [], roundTrips: 0 }
  const chain: Partial<Chain> = {
    ownedAccounts: async () => [
      { address: player.tokenAccount, mint: MINT, amount: 100n },
      { address: WRONG, mint: MINT, amount: 0n },
    ],
  }
  const db = countDbStatements(world.db, log)
  expect(await findUnrecorded(scanDeps({ ...world, db }, chain as Chain), player, rounds)).toEqual([])
  expect(log.names).toEqual([])
})
