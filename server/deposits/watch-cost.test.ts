import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { generateKeyPairSigner } from '@solana/kit'
import {
  getCreateAssociatedTokenIdempotentInstructionAsync,
  getTransferCheckedInstruction,
} from '@solana-program/token'
import { beforeAll, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { Address, Chain, Signature } from '#server/chain/port.ts'
import { connectChain } from '#server/chain/solana.ts'
import { signWithBlockhash } from '#server/chain/transactions.ts'
import { sweepDeposits } from '#server/signer/sweeps/sweep-deposits.ts'
import type { Signer } from '#server/signer/signer.ts'
import { createDepositor, scanAddress } from '#tests/support/depositors.ts'
import { runQuery, readCreditOf, type TestWallet, waitUntil } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { checkDeposit } from './check-deposit.ts'
import { markActive } from './mark-active.ts'
import { compareAllBalances } from './watch-balances.ts'
import { newWatchProgress, type WatchProgress, watchRound } from './watch-deposits.ts'

const world = setUpChainTestWorld()
let signer: Signer

beforeAll(async () => {
  signer = await world.newSigner()
})

/** An index after every address. */
const LAST = 2_000_000_000

type Recorded = { calls: string[]; histories: string[] }

/** A chain that records its calls. */
function recording(): { chain: Chain; recorded: Recorded } {
  const recorded: Recorded = { calls: [], histories: [] }
  const record =
    <Args extends unknown[], Answer>(name: string, call: (...args: Args) => Answer) =>
    (...args: Args): Answer => {
      recorded.calls.push(name)
      if (name === 'history') recorded.histories.push(String(args[0]))
      return call(...args)
    }
  const { chain } = world
  return {
    recorded,
    chain: {
      ...chain,
      slot: record('slot', chain.slot),
      history: record('history', chain.history),
      receipt: record('receipt', chain.receipt),
      statuses: record('statuses', chain.statuses),
      tokenBalances: record('tokenBalances', chain.tokenBalances),
      createReceiptReader: () => record('receipt', chain.createReceiptReader()),
    },
  }
}

const round = (chain: Chain, progress: WatchProgress) =>
  watchRound(
    { db: world.watcher, chain, clock: world.clock, log: world.log },
    { progress, stopping: new AbortController().signal },
  )

const compareAll = (chain: Chain, progress: WatchProgress) =>
  compareAllBalances({ db: world.watcher, chain }, { progress, stopping: new AbortController().signal })

/** The highest number of RPC calls in one of a few rounds after a pass. */
async function callsPerRound(): Promise<number> {
  const progress = newWatchProgress(1)
  await compareAll(world.chain, progress)
  const counts: number[] = []
  for (let number = 0; number < 4; number++) {
    const { chain, recorded } = recording()
    await round(chain, progress)
    counts.push(recorded.calls.length)
  }
  return Math.max(...counts)
}

async function logIn(count: number): Promise<void> {
  const addresses = await Promise.all(
    Array.from({ length: count }, async () => {
      const { address: owner } = await generateKeyPairSigner()
      return { owner, tokenAccount: await world.chain.tokenAccountOf(owner) }
    }),
  )
  await runQuery(
    world.owner,
    `insert into deposit_addresses (index, owner, token_account, wallet, assigned_at)
     select (select max(index) from deposit_addresses) + n, owner, account, 'wallet of ' || owner, $3
     from unnest($1::text[], $2::text[]) with ordinality as made (owner, account, n)`,
    [
      addresses.map(({ owner }) => owner),
      addresses.map(({ tokenAccount }) => tokenAccount),
      world.clock.now(),
    ],
  )
}

test('players without deposits add no node calls to a round, however many they are', async () => {
  await logIn(400)
  const few = await callsPerRound()
  await logIn(1_600)
  expect(await callsPerRound()).toBeLessThanOrEqual(few)
  expect(few).toBeLessThan(25)
})

test('among thousands of players a deposit is credited within one pass, by reading one history', async () => {
  const player = await createDepositor(world, 9)
  const { owner } = player.address
  const renumber = 'update deposit_addresses set index = $2 where owner = $1'
  const [at] = await runQuery<{ index: number; last: number }>(
    world.owner,
    'select index, (select max(index) from deposit_addresses) as last from deposit_addresses where owner = $1',
    [owner],
  )
  await runQuery(world.owner, renumber, [owner, at!.last + 1])
  await world.waitUntilFinal(await world.transfer(player.wallet, player.address.owner, cotton(9)))
  const progress = newWatchProgress(1)
  const { chain, recorded } = recording()
  // The rotation, which reads a few histories whatever the balances are, is switched off.
  progress.rotationAfter = LAST
  await compareAll(chain, progress)
  await round(chain, progress)
  expect((await readCreditOf(world.owner, player.wallet.address)).deposited).toBe(cotton(9))
  // One page, and the empty one after it.
  expect(recorded.histories.filter((address) => address === player.address.tokenAccount)).toHaveLength(2)
  await runQuery(world.owner, renumber, [owner, at!.index])
})

test('a deposit that is swept before it is seen is found, although the balance is the same as before', async () => {
  const player = await createDepositor(world, 30)
  await world.waitUntilFinal(await world.transfer(player.wallet, player.address.owner, cotton(10)))
  await scanAddress(world, player.address)
  await world.waitUntilFinal(await world.transfer(player.wallet, player.address.owner, cotton(20)))
  await waitUntil(async () => {
    await sweepDeposits(signer)
    return (await world.tokenBalanceOf(player.address.owner)) === 0n
  })
  await waitUntil(async () => {
    await sweepDeposits(signer)
    return (await runQuery(world.owner, `select from sweeps where state = 'signed'`)).length === 0
  })
  expect((await readCreditOf(world.owner, player.wallet.address)).deposited).toBe(cotton(10))
  const progress = newWatchProgress(1)
  progress.rotationAfter = LAST
  await compareAll(world.chain, progress)
  await round(world.chain, progress)
  expect((await readCreditOf(world.owner, player.wallet.address)).deposited).toBe(cotton(30))
})

/** Sends `amount` to each of these owners in one transaction. */
async function payAll(from: TestWallet, owners: readonly Address[], amount: bigint): Promise<Signature> {
  const { mint, decimals } = world.chain.facts
  const payer = from.signer
  const source = await world.chain.tokenAccountOf(payer.address)
  const instructions = await Promise.all(
    owners.map(async (owner) => {
      const destination = await world.chain.tokenAccountOf(owner)
      return [
        await getCreateAssociatedTokenIdempotentInstructionAsync({ payer, owner, mint }),
        getTransferCheckedInstruction({ source, mint, destination, authority: payer, amount, decimals }),
      ]
    }),
  )
  const lifetime = await world.chain.latestBlockhash('confirmed')
  const { wire, signature } = await signWithBlockhash(payer, lifetime, instructions.flat())
  expect(await world.chain.send(wire)).toMatchObject({ state: 'accepted' })
  await world.waitUntilFinal(signature)
  return signature
}

/** A chain over the same node that records which transactions are requested. */
async function recordingTransactions() {
  const requested: string[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const { method, params } = JSON.parse(body) as { method: string; params?: [string] }
    if (method === 'getTransaction') requested.push(params![0])
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(world.rpcUrl, { method: 'POST', body, headers })
    response.writeHead(answer.status, headers).end(await answer.text())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const chain = await connectChain({ isOwnChain: true, rpcUrls: [`http://127.0.0.1:${port}`] })
  return { chain, requested, close: () => new Promise((closed) => server.close(closed)) }
}

test('one transaction that pays many players is requested once per round, and credits each of them', async () => {
  const players = await Promise.all(Array.from({ length: 5 }, () => createDepositor(world, 10)))
  const now = world.clock.now()
  for (const { address } of players) await markActive(world.watcher, { owner: address.owner, now })
  const { chain, requested, close } = await recordingTransactions()
  const owners = players.map(({ address }) => address.owner)
  const signature = await payAll(players[0]!.wallet, owners, cotton(2))
  await round(chain, { ...newWatchProgress(1), rotationAfter: LAST })
  for (const { wallet } of players)
    expect((await readCreditOf(world.owner, wallet.address)).deposited).toBe(cotton(2))
  expect(requested.filter((each) => each === signature)).toHaveLength(1)
  await close()
})

test('a transaction that names many accounts and moves nothing causes no reads of their histories', async () => {
  const players = await Promise.all(Array.from({ length: 5 }, () => createDepositor(world, 1)))
  const now = world.clock.now()
  for (const { address } of players) await markActive(world.watcher, { owner: address.owner, now })
  const owners = players.map(({ address }) => address.owner)
  await payAll(players[0]!.wallet, owners, 0n)
  const { chain, recorded } = recording()
  await round(chain, { ...newWatchProgress(1), rotationAfter: LAST })
  const ours = new Set<string>(players.map(({ address }) => address.tokenAccount))
  expect(recorded.histories.filter((address) => ours.has(address))).toEqual([])
})

test('an address is active after an arrival or a check, but not by its assignment', async () => {
  const activeAt = async ({ owner }: { owner: Address }) =>
    (
      await runQuery<{ at: Date | null }>(
        world.owner,
        'select lively_at as at from deposit_addresses where owner = $1',
        [owner],
      )
    )[0]!.at
  const player = await createDepositor(world, 5)
  expect(await activeAt(player.address)).toBeNull()
  await world.waitUntilFinal(await world.transfer(player.wallet, player.address.owner, cotton(5)))
  await scanAddress(world, player.address)
  expect(await activeAt(player.address)).not.toBeNull()
  const other = await createDepositor(world, 5)
  await checkDeposit({ db: world.api, chain: world.chain, clock: world.clock }, other.wallet.address)
  expect(await activeAt(other.address)).not.toBeNull()
})
