import { expect, test } from 'vitest'
import { StartupError } from '#server/platform/startup-error.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { connectBoundChain } from './connect-bound-chain.ts'

const world = setUpChainTestWorld()
const connect = (settings: Partial<Parameters<typeof connectBoundChain>[0]> = {}) =>
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
  await bind('genesisHash', genesisHash)
  await bind('mint', genesisHash)
  await expect(connect()).rejects.toThrow(/^COTTON_MINT is .*, but the ledger/)
  await bind('mint', mint)
  expect((await connect()).facts.mint).toBe(mint)
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

test('an unreachable chain is reported in one sentence', async () => {
  const starting = connect({ solanaRpcUrls: ['http://127.0.0.1:9'] })
  await expect(starting).rejects.toBeInstanceOf(StartupError)
  await expect(starting).rejects.toThrow(/^SOLANA_RPC_URL does not answer/)
})
