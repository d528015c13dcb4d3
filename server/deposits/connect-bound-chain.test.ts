import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { generateKeyPairSigner, lamports } from '@solana/kit'
import { getCreateAccountInstruction } from '@solana-program/system'
import { getInitializeMint2Instruction, getMintSize, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { baseUnits } from '#game/cotton.ts'
import { ChainUnavailable } from '#server/chain/port.ts'
import { signWithBlockhash } from '#server/chain/transactions.ts'
import { readConfig } from '#server/platform/config.ts'
import { PassingStartupError, StartupError } from '#server/platform/startup-error.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { fakeNodes } from '#tests/support/fake-nodes.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { apiChain, connectBoundChain, watcherChain } from './connect-bound-chain.ts'

const world = setUpChainTestWorld()
const fakeNode = fakeNodes(() => world.rpcUrl)
const connect = (
  settings: Partial<Parameters<typeof connectBoundChain>[0]> = {},
  log?: Parameters<typeof connectBoundChain>[2],
) =>
  connectBoundChain(
    {
      solanaRpcUrls: [world.rpcUrl],
      cottonMint: world.chain.facts.mint,
      freezableToken: 'refused',
      cluster: '',
      localChain: false,
      ...settings,
    },
    world.watcher,
    log,
  )

const bind = (name: string, value: string) =>
  runQuery(
    world.owner,
    `update settings set value = value || jsonb_build_object($1::text, $2::text) where name = 'chain'`,
    [name, value],
  )

test('api and watcher start only on the chain and token that the database is bound to', async () => {
  const { genesisHash, mint } = world.chain.facts
  expect((await connect()).facts).toMatchObject({ genesisHash, mint })
  await bind('genesisHash', 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG')
  await expect(connect()).rejects.toThrow(/^SOLANA_RPC_URL is a node of another chain/)
  await expect(connect({ localChain: true })).rejects.toThrow(
    /^This database belongs to another chain than this local chain: set SOLANA_RPC_URL or DATA_DIR/,
  )
  await bind('genesisHash', genesisHash)
  await bind('mint', genesisHash)
  await expect(connect()).rejects.toThrow(/^COTTON_MINT is .*, but the ledger/)
  await bind('mint', mint)
  expect((await connect()).facts.mint).toBe(mint)
})

test('a game that was tried on the local chain says at a public node how to begin a new one', async () => {
  const devnet = await fakeNode(
    () => 200,
    (method) =>
      method === 'getGenesisHash' ? { result: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG' } : null,
  )
  await expect(connect({ solanaRpcUrls: [devnet] })).rejects.toThrow(
    /^SOLANA_RPC_URL is a node of another chain .* start a new game with another DATA_DIR or DATABASE_URL\.$/,
  )
})

test('the bound cluster applies to every role, whatever its settings omit', async () => {
  const clusterBy = async (settings?: Parameters<typeof connect>[0]) =>
    (await connect(settings)).facts.cluster
  expect(await clusterBy()).toBe('local')
  expect(await clusterBy({ cluster: 'local', localChain: true })).toBe('local')
  await expect(connect({ cluster: 'devnet' })).rejects.toThrow(
    'CLUSTER is devnet, but this database belongs to a game on local: set CLUSTER=local or remove it, or start with a fresh database.',
  )
  await bind('cluster', 'devnet')
  expect(await clusterBy()).toBe('devnet')
  expect(await clusterBy({ localChain: true })).toBe('devnet')
  await expect(connect({ cluster: 'local', localChain: true })).rejects.toThrow('a game on devnet')
  await bind('cluster', 'local')
})

test('without a bound chain, an unknown chain counts as one where tokens have value', async () => {
  const [bound] = await runQuery<{ value: object }>(
    world.owner,
    `select value from settings where name = 'chain'`,
  )
  await runQuery(world.owner, `delete from settings where name = 'chain'`)
  try {
    expect((await connect()).facts.cluster).toBe('private')
    expect((await connect({ localChain: true })).facts.cluster).toBe('local')
    expect((await connect({ cluster: 'local' })).facts.cluster).toBe('local')
  } finally {
    await runQuery(world.owner, `insert into settings (name, value) values ('chain', $1)`, [bound!.value])
  }
})

test('an unreachable chain is reported with hosts and reasons but no key, and its role is started again', async () => {
  const starting = connect({ solanaRpcUrls: ['http://127.0.0.1:9/?api-key=secret'] })
  await expect(starting).rejects.toBeInstanceOf(PassingStartupError)
  await expect(starting).rejects.toThrow(/^SOLANA_RPC_URL does not answer: .+ \(127\.0\.0\.1:9: .+\)\.$/)
  await expect(starting).rejects.not.toThrow('secret')
})

/** A token whose accounts somebody could freeze. */
async function createFreezableMint(): Promise<string> {
  const payer = (await world.wallet()).signer
  const mint = await generateKeyPairSigner()
  const { wire, signature } = await signWithBlockhash(payer, await world.chain.latestBlockhash('confirmed'), [
    getCreateAccountInstruction({
      payer,
      newAccount: mint,
      lamports: lamports(await world.chain.rentFor(getMintSize())),
      space: getMintSize(),
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    getInitializeMint2Instruction({
      mint: mint.address,
      decimals: 6,
      mintAuthority: payer.address,
      freezeAuthority: payer.address,
    }),
  ])
  await world.chain.send(wire)
  await world.waitUntilFinal(signature)
  return mint.address
}

test('a token that can be frozen is refused in one sentence, unless the operator allows it', async () => {
  const { mint } = world.chain.facts
  const cottonMint = await createFreezableMint()
  await bind('mint', cottonMint)
  await bind('cluster', 'private')
  onTestFinished(async () => {
    await bind('mint', mint)
    await bind('cluster', 'local')
  })
  const starting = connect({ cottonMint })
  await expect(starting).rejects.toThrow(/^COTTON_MINT: .* can freeze every account/)
  // The type itself: a subclass would be printed with its stack.
  await expect(starting).rejects.toMatchObject({ constructor: StartupError })
  expect((await connect({ cottonMint, freezableToken: 'allowed' })).facts.mint).toBe(cottonMint)
})

test('without COTTON_MINT, the local chain names its own token', async () => {
  const { mint } = world.chain.facts
  expect((await connect({ cottonMint: '', localChain: true })).facts.mint).toBe(mint)
})

test('a bug while connecting is not reported as an error in the settings', async () => {
  const solanaRpcUrls = null as unknown as string[]
  const error: unknown = await connect({ solanaRpcUrls }).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(TypeError)
})

/** A node in front of that of the world that answers nothing while it is down. */
async function createUnreliableNode() {
  const node = { isDown: false, url: '', host: '' }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (node.isDown) return void response.writeHead(500).end()
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(world.rpcUrl, { method: 'POST', body, headers })
    response.writeHead(answer.status, headers).end(await answer.text())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => new Promise<void>((closed) => server.close(() => closed())))
  node.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  node.url = `http://${node.host}`
  return node
}

test('a node that fails is logged with the reason, and so is its return', async () => {
  const node = await createUnreliableNode()
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const chain = await connect({ solanaRpcUrls: [node.url] }, log)
  expect(lines).toEqual([])
  node.isDown = true
  await expect(chain.slot('confirmed')).rejects.toBeInstanceOf(ChainUnavailable)
  node.isDown = false
  await chain.slot('confirmed')
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ level: 40, node: node.host, why: 'HTTP 500', restMs: 1_000 }),
    expect.objectContaining({ level: 30, node: node.host, msg: 'Solana node is available again' }),
  ])
})

test('without a log, a node that fails is used again as well', async () => {
  const node = await createUnreliableNode()
  const chain = await connect({ solanaRpcUrls: [node.url] })
  node.isDown = true
  await expect(chain.slot('confirmed')).rejects.toThrow('HTTP 500')
  node.isDown = false
  expect(await chain.slot('confirmed')).toBeGreaterThan(0n)
})

test('the calls of the watcher to a node are limited, except to the local chain', async () => {
  expect(watcherChain(readConfig({ WATCHER_CALLS_PER_SECOND: '7' })).rate).toEqual({ perSecond: 7 })
  const [far, own] = [await createUnreliableNode(), await createUnreliableNode()]
  const from = performance.now()
  await connect({ solanaRpcUrls: [far.url], rate: { perSecond: 1 } })
  // At least two calls, and a second between them less what may be caught up.
  expect(performance.now() - from).toBeGreaterThan(750)
  // With this limit the second call would be made after an hour.
  const unlimited = { solanaRpcUrls: [own.url], localChain: true, rate: { perSecond: 1 / 3_600 } }
  expect((await connect(unlimited)).facts.cluster).toBe('local')
})

test('players cannot have an api send more to a node: calls that would wait for too long are refused', async () => {
  expect(apiChain(readConfig({ API_CALLS_PER_SECOND: '7' })).rate).toEqual({ perSecond: 7, maxWaitMs: 5_000 })
  const node = await createUnreliableNode()
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const rate = { perSecond: 10, maxWaitMs: 500 }
  const chain = await connect({ solanaRpcUrls: [node.url], rate }, log)
  const calls = await Promise.allSettled(Array.from({ length: 30 }, () => chain.slot('confirmed')))
  const refused = calls.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []))
  // Six may wait, and a few more are made at once after a pause.
  expect(refused.length).toBeGreaterThan(20)
  expect(refused[0]).toBeInstanceOf(ChainUnavailable)
  expect(refused[0]!.message).toContain('too many calls wait for it')
  // The node has not failed.
  expect(lines).toEqual([])
})

// The last test of this file: the tokens stay.
test('a token of which more exists than the game can store is refused, unless the database is bound to it', async () => {
  const { address } = await world.wallet()
  await world.waitUntilFinal(await world.gift(address, baseUnits(2n ** 63n)))
  const [bound] = await runQuery<{ value: object }>(
    world.owner,
    `delete from settings where name = 'chain' returning value`,
  )
  await expect(connect()).rejects.toThrow(/^COTTON_MINT: there are more than 9\.2 trillion tokens of /)
  await runQuery(world.owner, `insert into settings (name, value) values ('chain', $1)`, [bound!.value])
  expect((await connect()).facts.mint).toBe(world.chain.facts.mint)
})
