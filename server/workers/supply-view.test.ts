import { expect } from 'vitest'
import type { WorkerType } from '#game/workers.ts'
import { sql } from '#server/platform/db/db.ts'
import { delayReads } from '#tests/support/delay-reads.ts'
import { readFrame } from '#tests/support/read-frame.ts'
import { test } from '#tests/support/test-world.ts'
import { openSupplyView, type SupplyView } from './supply-view.ts'

const contentOf = (view: SupplyView) => [view.types().payload, view.supply().payload, String(view.frame())]

test('a view that applies each hire equals one that reading it', async ({ world }) => {
  const player = await world.player({ deposited: 5_000_000 })
  const [applying, reading] = [await openSupplyView(world.db), await openSupplyView(world.db)]
  for (const workerType of ['kid', 'grandma', 'kid', 'kid'] as WorkerType[]) {
    contentOf(applying)
    const hired = { workerType, workerId: await world.hire(player, workerType) }
    expect(applying.applyHire(hired)).toEqual(['supply'])
    expect(applying.applyHire(hired)).toEqual([])
    const { type, data } = readFrame(applying.frame())
    expect([type, data]).toEqual(['workerUpdate', applying.supply().reply])
    expect(applying.types().reply).toEqual({ success: true, workerTypes: data })
    expect(await reading.refresh()).toEqual(['supply'])
    expect(contentOf(applying)).toEqual(contentOf(reading))
  }
  expect(await applying.refresh()).toEqual([])
})

test('a hire beyond the known supply has to be read', async ({ world }) => {
  const view = await openSupplyView(world.db)
  expect(view.applyHire({ workerType: 'kid', workerId: 'kid-10001' })).toBeNull()
  await world.db.rows(
    sql({ name: 'test-more', text: `update worker_types set max_supply = 10002 where worker_type = 'kid'` }),
  )
  await view.refresh()
  expect(view.applyHire({ workerType: 'kid', workerId: 'kid-10001' })).toEqual(['supply'])
  expect(view.supply().reply.kid).toMatchObject({ sold: 10_001, available: 1, maxSupply: 10_002 })
  expect(view.applyHire({ workerType: 'kid', workerId: 'kid-10002' })).toEqual(['supply'])
  expect(view.supply().reply.kid).toMatchObject({ sold: 10_002, available: 0 })
  // No hire came meanwhile, so the database is right, even if it is an older one that was restored.
  expect(await view.refresh()).toEqual(['supply'])
  expect(view.supply().reply.kid).toMatchObject({ sold: 3, available: 9_999 })
})

test('a change applied during a read is not undone by the older rows', async ({ world }) => {
  const player = await world.player({ deposited: 5_000_000 })
  let whileReading = async () => {}
  const [view, reading] = [
    await openSupplyView(delayReads(world.db, () => whileReading())),
    await openSupplyView(world.db),
  ]
  whileReading = async () => {
    view.applyHire({ workerType: 'kid', workerId: await world.hire(player, 'kid') })
  }
  await view.refresh()
  await reading.refresh()
  expect(contentOf(view)).toEqual(contentOf(reading))
})
