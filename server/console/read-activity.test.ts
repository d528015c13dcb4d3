import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { sql } from '#server/platform/db/db.ts'
import { test } from '#tests/support/test-world.ts'
import { readActivity, readBooksPoints } from './read-activity.ts'

const addHours = sql({
  name: 'test-add-hours',
  params: { from: 'timestamptz', until: 'timestamptz' },
  text: ({ from, until }) =>
    `insert into hourly_totals
       (hour, players, new_players, claims, hires, parcels, resales, volume, deposited, withdrawn)
     select hour, 1, 0, 1, 0, 0, 0, 0, 0, 0 from generate_series(${from}, ${until}, interval '1 hour') as series (hour)`,
})

const addTotal = sql({
  name: 'test-add-total',
  params: { at: 'timestamptz', emitted: 'bigint' },
  text: ({ at, emitted }) =>
    `insert into supply_history (at, emitted, burned, spent) values (${at}, ${emitted}, 0, 0)`,
})

test('a month is thirty days at every hour, and a day is twenty-four hours', async ({ world }) => {
  const { db } = world
  const [from, until] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-03-10T00:00:00Z')]
  await db.rows(addHours, { from, until })
  for (const [time, first, hours] of [
    ['2026-03-01T00:30:00Z', '2026-01-30', 30 * 24],
    ['2026-03-01T01:30:00Z', '2026-01-31', 29 * 24 + 1],
    ['2026-03-01T23:30:00Z', '2026-01-31', 29 * 24 + 23],
  ] as const) {
    const now = new Date(time)
    const days = await readActivity(db, { span: 'month', now })
    expect([days.length, days[0]?.at.slice(0, 10)]).toEqual([30, first])
    expect(days.reduce((sum, { claims }) => sum + claims, 0)).toBe(hours)
    expect(await readBooksPoints(db, { span: 'month', now })).toHaveLength(30)
    expect(await readActivity(db, { span: 'day', now })).toHaveLength(24)
  }
})

test('a chart shows what was added while a total exceeded a bigint', async ({ world }) => {
  const { db } = world
  const hour = (number: number) => new Date(Date.UTC(2027, 0, 1, number))
  await db.rows(addHours, { from: hour(0), until: hour(1) })
  const before = 2n ** 63n - 1n
  await db.rows(addTotal, { at: hour(1), emitted: before })
  await db.rows(addTotal, { at: hour(2), emitted: BigInt.asIntN(64, before + cotton(5)) })
  const points = await readBooksPoints(db, { span: 'day', now: hour(2) })
  expect(points.map(({ emitted }) => emitted).at(-1)).toBe('5')
})
