import { expect } from 'vitest'
import { PARCELS } from '#game/world.ts'
import { listAnnouncements as listForCommand } from '#server/announcements/announcements.ts'
import { writeEarlyMarkets } from '#server/market/early-markets.ts'
import { replyOf } from '#server/platform/answer.ts'
import { openDb } from '#server/platform/db/db.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { test } from '#tests/support/test-world.ts'
import { buy, cancel, codeOf, list } from '#tests/support/trade-land.ts'
import { listAnnouncements, readWorld } from './read-world.ts'

test('each continent has what it sold, offers and lists, and whether its market is open', async ({
  world,
}) => {
  const [seller, buyer] = [
    await world.player({ deposited: 1_000_000 }),
    await world.player({ deposited: 1_000_000 }),
  ]
  for (const parcelId of ['EU-FR', 'EU-DE', 'AF-EG']) await world.buy(seller, parcelId)
  await world.hire(buyer, 'kid')
  const offer = async (parcelId: string) => replyOf(await list(world, seller, parcelId, 50)).listing.id
  // Of three offers one is sold and one is cancelled.
  expect(codeOf(await buy(world, buyer, await offer('EU-DE')))).toBe('done')
  await offer('EU-FR')
  expect(codeOf(await cancel(world, seller, await offer('AF-EG')))).toBe('done')
  const now = world.clock.now()
  await world.db.transaction((tx) => writeEarlyMarkets(tx, { codes: ['AF'], now }))

  const { workers, continents } = await readWorld(world.db, 'auto')
  expect(continents.map(({ code }) => code)).toEqual(['NA', 'SA', 'EU', 'AS', 'AF', 'OC', 'AN'])
  const of = (wanted: string) => continents.find(({ code }) => code === wanted)
  const untouched = { startPrice: '100000', price: '100000', owned: 0, activeListings: 0 }
  const closed = { marketOpen: false, openedEarly: false }
  expect(of('NA')).toMatchObject({ ...untouched, ...closed })
  // A resale moves no price.
  expect(of('EU')).toMatchObject({ ...untouched, price: '104040', owned: 2, activeListings: 1, ...closed })
  const open = { marketOpen: true, openedEarly: true }
  expect(of('AF')).toMatchObject({ ...untouched, price: '102000', owned: 1, ...open })
  for (const { code, offered, excluded } of continents) {
    const all = PARCELS.filter(({ regionId }) => regionId === code).length
    expect([code, offered]).toEqual([code, all - excluded.length])
  }
  expect(workers.map(({ type, sold }) => [type, sold])).toEqual([
    ['kid', 1],
    ['grandma', 0],
    ['grandad', 0],
    ['bigman', 0],
  ])
  const everywhere = await readWorld(world.db, 'open')
  expect(everywhere.continents.every(({ marketOpen }) => marketOpen)).toBe(true)
})

const LONG_NAMES = `insert into announcements
  (text, starts_at, ends_at, created_at, created_by, withdrawn_at, withdrawn_by)
  values ('long', '2026-01-04', '2026-01-05', '2026-01-04', repeat('c', 1000000), '2026-01-05', repeat('w', 1000000))`

test('names of any length that a login of 0.1.0 has stored with an announcement are read as 100 characters', async ({
  world,
}) => {
  await world.db.transaction(async (tx) => {
    await runQuery(tx, 'alter table announcements disable trigger announcements_bounds')
    await runQuery(tx, LONG_NAMES)
    await runQuery(tx, 'alter table announcements enable trigger announcements_bounds')
  })
  const { items } = await listAnnouncements(world.db, { now: world.clock.now() })
  expect(items.map(({ createdBy }) => createdBy)).toEqual(['c'.repeat(100)])
  const names = { createdBy: 'c'.repeat(100), withdrawnBy: 'w'.repeat(100) }
  expect(await listForCommand(world.db, { limit: 50 })).toMatchObject([names])
})

test('of names of any length the console stores 100 characters with an announcement', async ({ world }) => {
  const db = openDb(world.urlFor('console'), { max: 1, applicationName: 'test' })
  const text = 'stored by the console'
  await runQuery(
    db,
    `insert into announcements (text, starts_at, ends_at, created_at, created_by)
     values ($1, '2026-01-04', '2026-01-05', '2026-01-04', repeat('c', 1000000))`,
    [text],
  )
  await runQuery(
    db,
    `update announcements set withdrawn_at = '2026-01-05', withdrawn_by = repeat('w', 1000000) where text = $1`,
    [text],
  )
  await db.end()
  const stored =
    'select length(created_by) as by, length(withdrawn_by) as withdrawer from announcements where text = $1'
  expect(await runQuery(world.db, stored, [text])).toEqual([{ by: 100, withdrawer: 100 }])
})
