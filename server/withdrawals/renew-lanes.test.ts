import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { Chain, Wire } from '#server/chain/port.ts'
import { newestOf, playerWith, runUntilSettled, withdraw } from '#tests/support/money-players.ts'
import { type MoneyWorld, openMoneyWorld, until } from '#tests/support/money-world.ts'
import { judgeRequests } from './judge-requests.ts'
import { openLanes } from './open-lanes.ts'
import { renewLanes } from './renew-lanes.ts'
import { signApproved } from './sign-approved.ts'

let world: MoneyWorld

beforeAll(async () => {
  world = await openMoneyWorld()
})

afterEach(async () => {
  expect(await world.findings()).toEqual([])
})

afterAll(() => world.close())

test('an advance that lands late takes no payout its nonce away', async () => {
  const first = await world.newSigner()
  const wallet = await playerWith(world, { deposited: 10 })
  await until(async () => {
    await openLanes(first)
    return renewLanes(first)
  })

  const held: Wire[] = []
  // What is sent in the first rounds seems lost in the network.
  const slow: Chain = {
    ...world.chain,
    async send(wire, options) {
      if (held.length >= 8) return world.chain.send(wire, options)
      held.push(wire)
      return { state: 'unknown', detail: 'no answer' }
    },
  }
  const signer = await world.newSigner(slow)
  await until(() => renewLanes(signer))
  await withdraw(world, wallet, cotton(5))
  await judgeRequests(signer)
  await signApproved(signer)
  for (const wire of held) await world.chain.send(wire, { skipPreflight: true })

  await runUntilSettled(world, signer, [wallet])
  expect(await newestOf(world, wallet)).toMatchObject({ state: 'finalized' })
})
