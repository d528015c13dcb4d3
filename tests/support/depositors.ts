import { cotton } from '#game/cotton.ts'
import type { Chain } from '#server/chain/port.ts'
import { creditDeposits, type ScanDeps, type ScanOptions } from '#server/deposits/credit-deposits.ts'
import type { WaitingDeposit } from '#server/deposits/record-arrivals.ts'
import { type DepositAddress, takeDepositAddress } from '#server/deposits/take-address.ts'
import type { ChainTestWorld, TestWallet } from './chain-test-world.ts'

/** A wallet with tokens, and a deposit address. */
export type Depositor = { wallet: TestWallet; address: DepositAddress }

/** A wallet with this many whole $COTTON. */
export async function createHolder(world: ChainTestWorld, whole: number): Promise<TestWallet> {
  const wallet = await world.wallet()
  await world.waitUntilFinal(await world.gift(wallet.address, cotton(whole)))
  return wallet
}

/** The same with an empty deposit address. */
export async function createDepositor(world: ChainTestWorld, whole = 1_000): Promise<Depositor> {
  const wallet = await createHolder(world, whole)
  const address = await takeDepositAddress(world.api, { wallet: wallet.address, now: world.clock.now() })
  return { wallet, address: address! }
}

/** Scans an address once for deposits, with the watcher's login. Returns those that have started to wait. */
export async function scanAddress(
  world: ChainTestWorld,
  address: DepositAddress,
  {
    chain = world.chain,
    largeFrom,
    ...scanOptions
  }: { chain?: Chain } & Pick<ScanDeps, 'largeFrom'> & ScanOptions = {},
): Promise<WaitingDeposit[]> {
  const deps = { db: world.watcher, chain, clock: world.clock, largeFrom }
  return (await creditDeposits(deps, address, scanOptions)).waiting
}
