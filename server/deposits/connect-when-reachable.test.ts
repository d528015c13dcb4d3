import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { ChainUnavailable, type Wire } from '#server/chain/port.ts'
import type { Log } from '#server/platform/log.ts'
import { PassingStartupError, StartupError } from '#server/platform/startup-error.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { fakeNodes } from '#tests/support/fake-nodes.ts'
import { waitFor } from '#tests/support/run-server.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { connectWhenReachable } from './connect-when-reachable.ts'

const world = setUpChainTestWorld()
const startNode = fakeNodes(() => world.rpcUrl)

type Settings = Parameters<typeof connectWhenReachable>[0]

/** The connection of an api that starts, with attempts in quick succession unless the test says otherwise. */
async function connect(
  url: string,
  settings: Partial<Settings> = {},
  { log = world.log, retryMs = 50 }: { log?: Log; retryMs?: number } = {},
) {
  const all: Settings = {
    solanaRpcUrls: [url],
    cottonMint: world.chain.facts.mint,
    freezableToken: 'refused',
    cluster: '',
    localChain: false,
    ...settings,
  }
  const connection = await connectWhenReachable(all, world.api, log, { retryMs })
  onTestFinished(() => connection.stop())
  return connection
}

test('while no node answers, the chain of a game that has run before refuses every call, until one answers', async () => {
  let status = 503
  let calls = 0
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const url = await startNode(() => {
    calls += 1
    return status
  }, world.rpcUrl)
  const { chain, isChecked, check } = await connect(url, {}, { log })
  const callsOfAnAttempt = calls
  expect(isChecked()).toBe(false)
  expect(lines.join()).toMatch(/"reason":"SOLANA_RPC_URL does not answer: .*no Solana node answers/)
  const { cluster, genesisHash, mint, decimals, explorer } = chain.facts
  expect(world.chain.facts).toMatchObject({ cluster, genesisHash, mint, decimals, explorer })
  await expect(chain.slot('confirmed')).rejects.toBeInstanceOf(ChainUnavailable)
  expect(await chain.send('' as Wire)).toMatchObject({ state: 'unknown' })
  expect(() => chain.facts.tokenProgram).toThrow(ChainUnavailable)
  expect(chain.nodes).toEqual([])
  expect(chain.createReceiptReader()).toBe(chain.receipt)
  await waitFor('a second attempt and a third', () => calls >= 4 * callsOfAnAttempt)
  status = 200
  await check
  expect(isChecked()).toBe(true)
  expect(lines.join()).toContain('a Solana node answers')
  expect(chain.facts).toEqual(world.chain.facts)
  expect(chain.nodes).toHaveLength(1)
  expect(await chain.slot('confirmed')).toBeGreaterThan(0n)
})

test('a chain that turns out to be another one is never used', async () => {
  let status = 503
  const url = await startNode(
    () => status,
    (method) => (method === 'getGenesisHash' ? { result: '1'.repeat(32) } : null),
  )
  const { chain, isChecked, check } = await connect(url)
  status = 200
  await expect(check).rejects.toThrow(/^SOLANA_RPC_URL is a node of another chain/)
  await expect(check).rejects.toMatchObject({ constructor: StartupError })
  expect(isChecked()).toBe(false)
  await expect(chain.slot('confirmed')).rejects.toBeInstanceOf(ChainUnavailable)
})

test('a node that answers is checked at the start', async () => {
  const { chain, isChecked, check } = await connect(world.rpcUrl)
  expect(isChecked()).toBe(true)
  await check
  expect(chain.facts).toEqual(world.chain.facts)
  await expect(connect(world.rpcUrl, { cluster: 'devnet' })).rejects.toThrow('a game on local')
})

test('settings of another game are refused without a node', async () => {
  const url = await startNode(() => 503)
  const { genesisHash } = world.chain.facts
  for (const [settings, sentence] of [
    [{ cottonMint: genesisHash }, /^COTTON_MINT is .*, but the ledger/],
    [{ cluster: 'devnet' }, /^CLUSTER is devnet, but this database belongs to a game on local/],
  ] as const) {
    const starting = connect(url, settings)
    await expect(starting).rejects.toThrow(sentence)
    await expect(starting).rejects.toMatchObject({ constructor: StartupError })
  }
})

test('the first start needs a node', async () => {
  const url = await startNode(() => 503)
  const [bound] = await runQuery<{ value: object }>(
    world.owner,
    `delete from settings where name = 'chain' returning value`,
  )
  try {
    await expect(connect(url)).rejects.toMatchObject({ constructor: PassingStartupError })
  } finally {
    await runQuery(world.owner, `insert into settings (name, value) values ('chain', $1)`, [bound!.value])
  }
})

test('a role that stops meanwhile waits for no node', async () => {
  const { check, isChecked, stop } = await connect(await startNode(() => 503), {}, { retryMs: 3_600_000 })
  stop()
  await check
  expect(isChecked()).toBe(false)
})
