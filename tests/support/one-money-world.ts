import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type MoneyWorld, openMoneyWorld } from './money-world.ts'

/**
 * The money world of one test file: there from its first hook or test on, and closed behind the last. After every test
 * the whole ledger is verified. A signer has come up once, so that addresses and funds are there, unless it is to come
 * `later`.
 */
export function moneyWorld({ signer = 'first' }: { signer?: 'first' | 'later' } = {}): MoneyWorld {
  const world = {} as MoneyWorld

  beforeAll(async () => {
    Object.assign(world, await openMoneyWorld())
    if (signer === 'first') await world.newSigner()
  })

  afterEach(async () => {
    expect(await world.findings()).toEqual([])
  })

  afterAll(() => world.close())

  return world
}
