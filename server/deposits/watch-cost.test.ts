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
import { newWatchProgress, type WatchProgress, watchRound } from './watch-deposits.ts'

const world = setUpChainTestWorld()
let signer: Signer

beforeAll(async () => {
  signer = await world.newSigner()
})

/** Beyond every address. */
const LAST = 2_000_000_000

type Asked = { calls: string[]; histories: string[] }

/** A chain that writes down what is asked of it. */
function counting(): { chain: Chain; asked: Asked } {
  const asked: Asked = { calls: [], histories: [] }
  const note =
    <Args extends unknown[], Answer>(name: string, ask: (...args: Args) => Answer) =>
    (...args: Args): Answer => {
      asked.calls.push(name)
      if (name === 'history') asked.histories.push(String(args[0]))
      return ask(...args)
    }
  const { chain } = world
  return {
    asked,
    chain: {
      ...chain,
      slot: note('slot', chain.slot),
      history: note('history', chain.history),
      receipt: note('receipt', chain.receipt),
      statuses: note('statuses', chain.statuses),
      tokenBalances: note('tokenBalances', chain.tokenBalances),
      createReceiptReader: () => note('receipt', chain.createReceiptReader()),
    },
  }
}

const round = (chain: Chain, progress: WatchProgress) =>
  watchRound(
    { db: world.watcher, chain, clock: world.clock, log: world.log },
    { progress, stopping: new AbortController().signal },
  )

/** The most node calls of a few rounds behind the first one, which goes through all addresses. */
async function callsOfARound(): Promise<number> {
  const progress = newWatchProgress(1)
  await round(world.chain, progress)
  const counts: number[] = []
  for (let number = 0; number < 4; number++) {
    const { chain, asked } = counting()
    await round(chain, progress)
    counts.push(asked.calls.length)
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

test('logins without a cent add no node calls to a round, however many they are', async () => {
  await logIn(400)
  const few = await callsOfARound()
  await logIn(1_600)
  expect(await callsOfARound()).toBeLessThanOrEqual(few)
  expect(few).toBeLessThan(25)
})

test('behind a crowd of logins a deposit is credited within one pass, by one history', async () => {
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
  const { chain, asked } = counting()
  for (let number = 0; number < 7; number++) await round(chain, Object.assign(progress, { slowAfter: LAST }))
  expect((await readCreditOf(world.owner, player.wallet.address)).deposited).toBe(cotton(9))
  // Its page, and the empty one behind it.
  expect(asked.histories.filter((address) => address === player.address.tokenAccount)).toHaveLength(2)
  await runQuery(world.owner, renumber, [owner, at!.index])
})

test('a deposit that a sweep takes along before it is seen is found, although the balance looks as before', async () => {
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
  // Not by the slow turn, which reads the histories of a few whatever their balances are.
  for (let number = 0; number < 7; number++)
    await round(world.chain, Object.assign(progress, { slowAfter: LAST }))
  expect((await readCreditOf(world.owner, player.wallet.address)).deposited).toBe(cotton(30))
})

/** One transaction of one wallet that sends so much to each of these owners. */
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

/** A chain over the same node, which counts the transactions that are asked of it. */
async function countingTransactions() {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const { method, params } = JSON.parse(body) as { method: string; params?: [string] }
    if (method === 'getTransaction') asked.push(params![0])
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(world.rpcUrl, { method: 'POST', body, headers })
    response.writeHead(answer.status, headers).end(await answer.text())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const chain = await connectChain({ isOwnChain: true, rpcUrls: [`http://127.0.0.1:${port}`] })
  return { chain, asked, close: () => new Promise((closed) => server.close(closed)) }
}

test('one transaction that pays many players is asked for once in a round, and credits each of them', async () => {
  const players = await Promise.all(Array.from({ length: 5 }, () => createDepositor(world, 10)))
  const now = world.clock.now()
  for (const { address } of players) await markActive(world.watcher, { owner: address.owner, now })
  const { chain, asked, close } = await countingTransactions()
  const owners = players.map(({ address }) => address.owner)
  const signature = await payAll(players[0]!.wallet, owners, cotton(2))
  await round(chain, { ...newWatchProgress(1), rotationAfter: LAST })
  for (const { wallet } of players)
    expect((await readCreditOf(world.owner, wallet.address)).deposited).toBe(cotton(2))
  expect(asked.filter((each) => each === signature)).toHaveLength(1)
  await close()
})

test('one transaction that names many accounts and moves nothing makes nobody read their histories', async () => {
  const players = await Promise.all(Array.from({ length: 5 }, () => createDepositor(world, 1)))
  const now = world.clock.now()
  for (const { address } of players) await markActive(world.watcher, { owner: address.owner, now })
  const owners = players.map(({ address }) => address.owner)
  await payAll(players[0]!.wallet, owners, 0n)
  const { chain, asked } = counting()
  await round(chain, { ...newWatchProgress(1), rotationAfter: LAST })
  const ours = new Set<string>(players.map(({ address }) => address.tokenAccount))
  expect(asked.histories.filter((address) => ours.has(address))).toEqual([])
})

test('an address is lively after an arrival or a check, and not by being taken', async () => {
  const isActive = async ({ owner }: { owner: Address }) =>
    (
      await runQuery<{ at: Date | null }>(
        world.owner,
        'select lively_at as at from deposit_addresses where owner = $1',
        [owner],
      )
    )[0]!.at
  const player = await createDepositor(world, 5)
  expect(await isActive(player.address)).toBeNull()
  await world.waitUntilFinal(await world.transfer(player.wallet, player.address.owner, cotton(5)))
  await scanAddress(world, player.address)
  expect(await isActive(player.address)).not.toBeNull()
  const other = await createDepositor(world, 5)
  await checkDeposit({ db: world.api, chain: world.chain, clock: world.clock }, other.wallet.address)
  expect(await isActive(other.address)).not.toBeNull()
})
