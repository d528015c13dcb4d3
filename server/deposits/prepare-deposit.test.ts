import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { type Chain, ChainUnavailable } from '#server/chain/port.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { unitPriceOf } from '#tests/support/payouts.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { prepareDeposit } from './prepare-deposit.ts'

const world = setUpChainTestWorld()

const prepare = (wallet: string) =>
  prepareDeposit({ db: world.api, chain: world.chain, clock: world.clock }, { wallet, amount: cotton(1) })

const prepared = async () =>
  (await runQuery<{ wallet: string }>(world.owner, 'select wallet from prepared_deposits order by at')).map(
    ({ wallet }) => wallet,
  )

test('a prepared deposit is stored, and left to the cleanup when it has expired', async () => {
  const [ana, bob] = [(await world.wallet()).address, (await world.wallet()).address]
  for (const wallet of [ana, bob, bob]) await prepare(wallet)
  world.clock.skip(3 * 60_000)
  await prepare(ana)
  expect(await prepared()).toEqual([ana, bob, bob, ana])
})

test('a prepared deposit offers the price that others pay, or none if no node reports it', async () => {
  await world.skipDays(1)
  const { address: wallet } = await world.wallet()
  const offerAt = async (unitPrice: Chain['unitPrice']) => {
    const deps = { db: world.api, chain: { ...world.chain, unitPrice }, clock: world.clock }
    return unitPriceOf((await prepareDeposit(deps, { wallet, amount: cotton(1) })).transaction)
  }
  expect(await offerAt(async () => 7n)).toBe(7n)
  expect(await offerAt(() => Promise.reject(new ChainUnavailable('no such method')))).toBe(0n)
})

test('no deposit is prepared while no address is free', async () => {
  await runQuery(world.owner, 'update deposit_addresses set retired_at = now() where wallet is null')
  await expect(prepare((await world.wallet()).address)).rejects.toThrow('busy')
})
