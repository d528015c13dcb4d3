import { devNull } from 'node:os'
import { expect, test, vi } from 'vitest'
import type { Player } from '#tests/e2e/funded-player.ts'
import { Load } from './failover-load.ts'
import { HistoryLog } from './logged-calls.ts'
import type { Known } from './player-actions.ts'

test('what has no answer is asked for when the load is stopped, and not again behind the next state', async () => {
  // Then clients hire, give up after each attempt, and ask for all of it.
  vi.spyOn(Math, 'random').mockReturnValue(0)
  let isUp = false
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(() => {
    const reply = { worker: { workerId: 'kid-1' }, newBalance: 950 }
    return Promise.resolve(isUp ? Response.json(reply) : new Response('', { status: 502 }))
  })
  const known: Known = {
    prices: { kid: 50 },
    free: [],
    regions: {},
    offers: new Map(),
    workers: new Map(),
    land: new Map(),
    withdrawals: new Map(),
  }
  const players = [{ address: 'ana', token: 'token' } as Player]
  const load = new Load('http://game.test', new HistoryLog(devNull), { players, known })
  load.start()
  await expect.poll(() => asked.mock.calls.length).toBeGreaterThan(2)
  isUp = true
  await load.stop()
  const calls = asked.mock.calls.length
  expect(load.acknowledged.length).toBeGreaterThan(2)
  await load.stop()
  expect(asked).toHaveBeenCalledTimes(calls)
})
