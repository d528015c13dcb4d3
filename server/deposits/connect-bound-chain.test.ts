import { expect, test } from 'vitest'
import { StartupError } from '#server/platform/startup-error.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { connectBoundChain } from './connect-bound-chain.ts'

const world = setUpChainTestWorld()
const connect = (said: Partial<Parameters<typeof connectBoundChain>[0]> = {}) =>
  connectBoundChain(
    {
      solanaRpcUrls: [world.rpcUrl],
      cottonMint: world.chain.facts.mint,
      freezableToken: 'refused',
      cluster: '',
      localChain: false,
      ...said,
    },
    world.watcher,
  )

const becomes = (name: string, value: string) =>
  runQuery(
    world.owner,
    `update settings set value = value || jsonb_build_object($1::text, $2::text) where name = 'chain'`,
    [name, value],
  )

test('api and watcher start on the chain and token of the books, and on no other', async () => {
  const { genesisHash, mint } = world.chain.facts
  expect((await connect()).facts).toMatchObject({ genesisHash, mint })
  await becomes('genesisHash', 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG')
  await expect(connect()).rejects.toThrow(/^SOLANA_RPC_URL leads to another chain/)
  await becomes('genesisHash', genesisHash)
  await becomes('mint', genesisHash)
  await expect(connect()).rejects.toThrow(/^COTTON_MINT is .*, but the books/)
  await becomes('mint', mint)
  expect((await connect()).facts.mint).toBe(mint)
})

test('the books say whose rules hold, so that every role goes by the same', async () => {
  const clusterBy = async (said?: Parameters<typeof connect>[0]) => (await connect(said)).facts.cluster
  expect(await clusterBy()).toBe('local')
  expect(await clusterBy({ cluster: 'local', localChain: true })).toBe('local')
  await expect(connect({ cluster: 'devnet' })).rejects.toThrow(
    'CLUSTER is devnet, but this database belongs to a game on local: set CLUSTER=local or leave it out, or start with a fresh database.',
  )
  await becomes('cluster', 'devnet')
  expect(await clusterBy()).toBe('devnet')
  expect(await clusterBy({ localChain: true })).toBe('devnet')
  await expect(connect({ cluster: 'local', localChain: true })).rejects.toThrow('a game on devnet')
  await becomes('cluster', 'local')
})

test('books that are bound to nothing take an unknown chain for one where tokens are worth something', async () => {
  const [kept] = await runQuery<{ value: object }>(
    world.owner,
    `select value from settings where name = 'chain'`,
  )
  await runQuery(world.owner, `delete from settings where name = 'chain'`)
  try {
    expect((await connect()).facts.cluster).toBe('private')
    expect((await connect({ localChain: true })).facts.cluster).toBe('local')
    expect((await connect({ cluster: 'local' })).facts.cluster).toBe('local')
  } finally {
    await runQuery(world.owner, `insert into settings (name, value) values ('chain', $1)`, [kept!.value])
  }
})

test('a chain that does not answer is said in one sentence', async () => {
  const starting = connect({ solanaRpcUrls: ['http://127.0.0.1:9'] })
  await expect(starting).rejects.toBeInstanceOf(StartupError)
  await expect(starting).rejects.toThrow(/^SOLANA_RPC_URL does not answer/)
})
