import { expect } from 'vitest'
import { readActivity, readBooksPoints } from '#server/console/read-activity.ts'
import { openDb } from '#server/platform/db/db.ts'
import { fundPool } from '#tests/support/fund-pool.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { test } from '#tests/support/test-world.ts'
import { createHoursRound } from './record-hours.ts'

const HOUR_MS = 3_600_000

test('each hour is recorded once, after it is over, with what happened in it', async ({ world }) => {
  const db = openDb(world.urlFor('watcher'), { max: 2, applicationName: 'test' })
  const record = createHoursRound({ db, clock: world.clock })
  const [ana, bert] = [await world.player({ deposited: 300_000 }), await world.player({ deposited: 100_000 })]
  await world.hire(ana, 'kid')
  await world.buy(ana, 'EU-FR')
  await world.hire(bert, 'kid')
  // The operator is no player.
  await fundPool(world, 1_000)
  // The hour is not over.
  expect(await record()).toBe(0)
  world.clock.advance(HOUR_MS)
  expect(await record()).toBe(0)
  world.clock.advance(60_000)
  expect(await record()).toBe(1)
  expect(await record()).toBe(0)
  world.clock.advance(2 * HOUR_MS)
  await world.hire(ana, 'kid')
  // The hours that were missed are filled in.
  expect(await record()).toBe(2)
  world.clock.advance(HOUR_MS)
  expect(await record()).toBe(1)

  const console = openDb(world.urlFor('console'), { max: 2, applicationName: 'test' })
  const points = await readActivity(console, { span: 'day', now: world.clock.now() })
  expect(
    points.map(({ at, hires, parcels, players }) => [at.slice(11, 13), hires, parcels, players]),
  ).toEqual([
    ['12', 2, 1, 2],
    ['13', 0, 0, 0],
    ['14', 0, 0, 0],
    ['15', 1, 0, 1],
  ])
  const books = await readBooksPoints(console, { span: 'day', now: world.clock.now() })
  expect(books.map(({ at }) => at.slice(11, 13))).toEqual(['13', '14', '15', '16'])
  expect(books.at(-1)?.pool).not.toBeNull()
  await console.end()
  await db.end()
})

test('an hour whose sums exceed a bigint is recorded with the largest one, and so are later hours', async ({
  world,
}) => {
  const db = openDb(world.urlFor('watcher'), { max: 2, applicationName: 'test' })
  const record = createHoursRound({ db, clock: world.clock })
  world.clock.set('2026-03-01T12:30:00.000Z')
  const { wallet } = await world.player({ deposited: 1 })
  await runQuery(
    world.db,
    `insert into receipts (signature, token_account, wallet, asset, amount, slot, state, seen_at, credited_at, journal_id)
     select 'large ' || n, 'account', $1, 'cotton', 9e18, n, 'credited', $2, $2, gen_random_uuid() from generate_series(1, 2) n`,
    [wallet, world.clock.now()],
  )
  world.clock.advance(2 * HOUR_MS)
  while ((await record()) > 0);
  const rows = await runQuery<{ deposited: bigint }>(
    world.db,
    `select deposited from hourly_totals where hour >= '2026-03-01T12:00Z' order by hour`,
  )
  expect(rows).toEqual([{ deposited: 2n ** 63n - 1n }, { deposited: 0n }])
  await db.end()
})

test('hours that a clock recorded too early are recorded again when they are over', async ({ world }) => {
  const db = openDb(world.urlFor('watcher'), { max: 2, applicationName: 'test' })
  const record = createHoursRound({ db, clock: world.clock })
  const ana = await world.player({ deposited: 150_000 })
  world.clock.set('2026-02-01T12:30:00.000Z')
  while ((await record()) > 0);
  world.clock.advance(26 * HOUR_MS)
  while ((await record()) > 0);
  await world.hire(ana, 'kid')
  world.clock.advance(-26 * HOUR_MS)
  await world.hire(ana, 'kid')
  await record()
  world.clock.advance(HOUR_MS)
  expect(await record()).toBe(1)
  expect(await record()).toBe(0)
  const console = openDb(world.urlFor('console'), { max: 2, applicationName: 'test' })
  const points = await readActivity(console, { span: 'day', now: world.clock.now() })
  expect(points.map(({ at, hires }) => [at.slice(11, 13), hires]).slice(-2)).toEqual([
    ['11', 0],
    ['12', 1],
  ])
  await console.end()
  await db.end()
})
