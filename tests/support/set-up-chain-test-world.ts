import { rmSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type ChainTestWorld, openChainTestWorld } from './chain-test-world.ts'

/**
 * The chain test world of one test file, opened before its first hook or test and closed after the last. After every test
 * the whole ledger is verified. A signer is started once, so that deposit addresses and funds exist, unless the test
 * starts it `later`.
 */
export function setUpChainTestWorld({
  signer = 'first',
}: { signer?: 'first' | 'later' } = {}): ChainTestWorld {
  const world = {} as ChainTestWorld

  beforeAll(async () => {
    Object.assign(world, await openChainTestWorld({ signer }))
    if (signer === 'first') await world.newSigner()
  })

  afterEach(async () => {
    expect(await world.audit()).toEqual([])
  })

  afterAll(async () => {
    await world.close()
    if (world.operatorsFolder) rmSync(world.operatorsFolder, { recursive: true })
  })

  return world
}
