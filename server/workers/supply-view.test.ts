import { expect } from 'vitest'
import type { WorkerType } from '#game/workers.ts'
import { sql } from '#server/platform/db/db.ts'
import { delayReads } from '#tests/support/delay-reads.ts'
import { test } from '#tests/support/test-world.ts'
import { openSupplyView, type SupplyView } from './supply-view.ts'

const told = (view: SupplyView) => [view.types().payload, view.supply().payload, String(view.frame())]

test('a view that learns of each hire says what one says that reads it', async ({ world }) => {
  const player = await world.player({ deposited: 5_000_000 })
  const [learns, reads] = [await openSupplyView(world.db), await openSupplyView(world.db)]
  for (const workerType of ['kid', 'grandma', 'kid', 'kid'] as WorkerType[]) {
    told(learns)
    const hired = { workerType, workerId: await world.hire(player, workerType) }
    expect(learns.applyHire(hired)).toEqual(['supply'])
    expect(learns.applyHire(hired)).toEqual([])
    expect(await reads.refresh()).toEqual(['supply'])
    expect(told(learns)).toEqual(told(reads))
  }
  expect(await learns.refresh()).toEqual([])
})

test('a hire beyond the supply that is known is read', async ({ world }) => {
  const view = await openSupplyView(world.db)
  expect(view.applyHire({ workerType: 'kid', workerId: 'kid-10001' })).toBeNull()
  await world.db.rows(
    sql('test-more', `update worker_types set max_supply = 10002 where worker_type = 'kid'`),
  )
  await view.refresh()
  expect(view.applyHire({ workerType: 'kid', workerId: 'kid-10001' })).toEqual(['supply'])
  expect(view.supply().reply.kid).toMatchObject({ sold: 10_001, available: 1, maxSupply: 10_002 })
})

test('what is learned during a read is not undone by what was read before it', async ({ world }) => {
  const player = await world.player({ deposited: 5_000_000 })
  let whileReading = async () => {}
  const [view, reads] = [
    await openSupplyView(delayReads(world.db, () => whileReading())),
    await openSupplyView(world.db),
  ]
  whileReading = async () => {
    view.applyHire({ workerType: 'kid', workerId: await world.hire(player, 'kid') })
  }
  await view.refresh()
  await reads.refresh()
  expect(told(view)).toEqual(told(reads))
})
