import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { PREPARED_LIFE_MS, prepareDeposit } from './prepare-deposit.ts'

const world = setUpChainTestWorld()

const prepare = (wallet: string) =>
  prepareDeposit({ db: world.api, chain: world.chain, clock: world.clock }, { wallet, amount: cotton(1) })

const prepared = async () =>
  (await runQuery<{ wallet: string }>(world.owner, 'select wallet from prepared_deposits order by at')).map(
    ({ wallet }) => wallet,
  )

test('a prepared deposit is stored until it has expired, whatever others prepare', async () => {
  const [ana, bob] = [(await world.wallet()).address, (await world.wallet()).address]
  for (const wallet of [ana, bob, bob]) await prepare(wallet)
  expect(await prepared()).toEqual([ana, bob, bob])
  world.clock.skip(PREPARED_LIFE_MS)
  await prepare(ana)
  expect(await prepared()).toEqual([ana])
})

test('no deposit is prepared while no address is free', async () => {
  await runQuery(world.owner, 'update deposit_addresses set retired_at = now() where wallet is null')
  await expect(prepare((await world.wallet()).address)).rejects.toThrow('busy')
})
