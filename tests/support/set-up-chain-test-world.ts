import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type ChainTestWorld, openChainTestWorld } from './chain-test-world.ts'

/**
 * The money world of one test file: there from its first hook or test on, and closed behind the last. After every test
 * the whole ledger is verified. A signer has come up once, so that addresses and funds are there, unless it is to come
 * `later`.
 */
export function setUpChainTestWorld({
  signer = 'first',
}: { signer?: 'first' | 'later' } = {}): ChainTestWorld {
  const world = {} as ChainTestWorld

  beforeAll(async () => {
    Object.assign(world, await openChainTestWorld())
    if (signer === 'first') await world.newSigner()
  })

  afterEach(async () => {
    expect(await world.audit()).toEqual([])
  })

  afterAll(() => world.close())

  return world
}
