import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { type Chain, type ChainNode, ChainUnavailable, type Receipt } from '#server/chain/port.ts'
import { creditMissedDeposits } from '#server/ops/credit-missed-deposits.ts'
import { type Depositor, createDepositor, scanAddress } from '#tests/support/depositors.ts'
import { runQuery, readCreditOf, type ChainTestWorld } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { checkDeposit } from './check-deposit.ts'
import { newWatchProgress, watchRound } from './watch-deposits.ts'

const world = setUpChainTestWorld()

const LARGE = cotton(500)

/** A player whose whole wallet was transferred to their deposit address, and finalized. */
async function depositAll(whole: number): Promise<Depositor> {
  const player = await createDepositor(world, whole)
  await world.waitUntilFinal(await world.transfer(player.wallet, player.address.owner, cotton(whole)))
  return player
}

/** The chain with one node for each of these views of a receipt. */
function through(...nodes: ((receipt: Receipt | null) => Receipt | null)[]): Chain {
  const [honest] = world.chain.nodes
  const node = (show: (receipt: Receipt | null) => Receipt | null, at: number): ChainNode => ({
    ...honest!,
    host: `node-${at}`,
    receipt: async (...args) => show(await honest!.receipt(...args)),
  })
  return { ...world.chain, nodes: nodes.map(node) }
}

const honest = (receipt: Receipt | null) => receipt
const blind = () => null
const boastful = (receipt: Receipt | null) => receipt && { ...receipt, amount: receipt.amount * 10n }
const down = (): never => {
  throw new ChainUnavailable('no answer in time')
}

const scan = (chain: Chain, { address }: Depositor) =>
  scanAddress(world, address, { chain, largeFrom: LARGE })

const receipts = ({ address }: Depositor) =>
  runQuery<{ state: string; why: string | null }>(
    world.owner,
    `select state, why from receipts where token_account = $1`,
    [address.tokenAccount],
  )

const deposited = async ({ wallet }: Depositor) => (await readCreditOf(world.owner, wallet.address)).deposited

test('a large deposit is credited when two nodes report the same final amount', async () => {
  const player = await depositAll(500)
  expect(await scan(through(honest, honest), player)).toEqual([])
  expect(await deposited(player)).toBe(cotton(500))
})

test('a large deposit that only one node reports waits, and is logged once', async () => {
  const player = await depositAll(500)
  for (const other of [blind, down]) await scan(through(honest, other), player)
  expect(await receipts(player)).toEqual([{ state: 'pending', why: 'second_node' }])
  expect(await scan(through(honest, blind), player)).toEqual([])
  expect(await deposited(player)).toBe(0n)
  expect(await scan(through(honest, blind, honest), player)).toEqual([])
  expect(await receipts(player)).toEqual([{ state: 'credited', why: null }])
  expect(await deposited(player)).toBe(cotton(500))
})

test('a large deposit waits until the nodes report the same amount', async () => {
  const player = await depositAll(700)
  expect(await scan(through(honest, boastful), player)).toEqual([
    { signature: expect.any(String), amount: '700000000', why: 'nodes_disagree' },
  ])
  expect(await scan(through(honest, honest, boastful), player)).toEqual([])
  expect(await receipts(player)).toEqual([{ state: 'pending', why: 'nodes_disagree' }])
  const deps = { db: world.api, chain: through(honest, boastful), clock: world.clock, largeFrom: LARGE }
  expect(await checkDeposit(deps, player.wallet.address)).toMatchObject({ newDeposit: false, pending: 700 })
  await scan(through(honest, honest), player)
  expect(await deposited(player)).toBe(cotton(700))
})

test('a command that credits missed deposits waits for a second node from the same amount on', async () => {
  const player = await depositAll(500)
  const deps = { db: world.owner, clock: world.clock, largeFrom: LARGE }
  await creditMissedDeposits(deps, through(honest, blind))
  expect(await receipts(player)).toEqual([{ state: 'pending', why: 'second_node' }])
  await creditMissedDeposits(deps, through(honest, honest))
  expect(await deposited(player)).toBe(cotton(500))
})

test('smaller deposits wait for no second node, nor for a large one before them', async () => {
  const player = await depositAll(600)
  await world.waitUntilFinal(await world.gift(player.wallet.address, cotton(20)))
  await world.waitUntilFinal(await world.transfer(player.wallet, player.address.owner, cotton(20)))
  await scan(through(honest, blind), player)
  expect(await deposited(player)).toBe(cotton(20))
  await scan(through(honest, honest), player)
  expect(await deposited(player)).toBe(cotton(620))
})

test('the watcher logs which deposit waits, and why', async () => {
  const player = await depositAll(900)
  const logged: object[] = []
  const log = { ...world.log, error: (...args: unknown[]) => void logged.push(args), warn() {}, info() {} }
  const deps = { db: world.watcher, chain: through(honest, boastful), clock: world.clock, largeFrom: LARGE }
  const stopping = new AbortController().signal
  const progress = newWatchProgress(1)
  for (let round = 0; round < 2; round++) {
    await watchRound({ ...deps, log: log as unknown as ChainTestWorld['log'] }, { progress, stopping })
  }
  const { wallet } = player.address
  expect(logged).toEqual([
    [expect.objectContaining({ wallet, amount: '900000000', why: 'nodes_disagree' }), expect.any(String)],
  ])
})
