import { expect, test } from 'vitest'
import { StartProblem } from '#server/platform/start-problem.ts'
import { ask } from '#tests/support/money-world.ts'
import { moneyWorld } from '#tests/support/one-money-world.ts'
import { connectOwnChain } from './connect-own-chain.ts'

const world = moneyWorld()
const connect = (solanaRpcUrls = [world.rpcUrl]) =>
  connectOwnChain(
    { solanaRpcUrls, cottonMint: world.chain.facts.mint, freezableToken: 'refused' },
    world.watcher,
  )

const becomes = (name: string, value: string) =>
  ask(
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

test('a chain that does not answer is said in one sentence', async () => {
  const starting = connect(['http://127.0.0.1:9'])
  await expect(starting).rejects.toBeInstanceOf(StartProblem)
  await expect(starting).rejects.toThrow(/^SOLANA_RPC_URL does not answer/)
})
