import { expect, test } from 'vitest'
import { assessShortage } from '#server/solvency/watch-solvency.ts'
import { checkReserve } from '#tests/support/money-situations.ts'
import { test as withWorld } from '#tests/support/test-world.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { isReserveCovered, standingOf } from './reserve-standing.ts'

const now = new Date('2026-11-22T12:00:00.000Z')
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1_000)
const never = new Date(Number.NaN)

test('a reserve snapshot with an invalid time does not count', () => {
  const seen = (at: Date, tookMs = 0) => standingOf({ at, tookMs, surplus: 0n, confirmed: false }, now)
  expect(seen(secondsAgo(60))).toBe('covered')
  expect(seen(secondsAgo(61))).toBe('unseen')
  expect(seen(secondsAgo(-61))).toBe('unseen')
  expect(seen(secondsAgo(65), 500)).toBe('covered')
  expect(seen(never)).toBe('unseen')
  expect(seen(now, Number.NaN)).toBe('unseen')
})

test('a shortage is short once it is confirmed, and unseen once it was checked too long ago', () => {
  const short = (at: Date, confirmed: boolean) => standingOf({ at, tookMs: 0, surplus: -1n, confirmed }, now)
  expect([short(now, false), short(now, true)]).toEqual(['unconfirmed', 'short'])
  expect([short(secondsAgo(61), false), short(secondsAgo(61), true)]).toEqual(['unseen', 'unseen'])
})

test('tokens that are missing since an invalid time count as confirmed missing', () => {
  const short = { surplus: -1n, uncertain: 5n }
  const since = (shortSince: Date) =>
    assessShortage(short, { before: { shortSince, confirmed: false }, now }).confirmed
  expect(since(secondsAgo(1))).toBe(false)
  expect(since(secondsAgo(24 * 3_600))).toBe(true)
  expect([since(secondsAgo(-59)), since(secondsAgo(-60))]).toEqual([false, true])
  expect(since(never)).toBe(true)
})

withWorld(
  'where tokens have a value, payouts need a snapshot of the last minute without a confirmed shortage',
  async ({ world }) => {
    const isCovered = (cluster: 'mainnet' | 'local') =>
      isReserveCovered(world.db, { cluster, now: world.clock.now() })
    expect([await isCovered('mainnet'), await isCovered('local')]).toEqual([false, true])
    await checkReserve(world)
    expect(await isCovered('mainnet')).toBe(true)
    await checkReserve(world, { missing: 1 })
    expect([await isCovered('mainnet'), await isCovered('local')]).toEqual([false, true])
    await runQuery(world.db, 'update solvency set confirmed = false')
    expect(await isCovered('mainnet')).toBe(true)
    await checkReserve(world)
    world.clock.advance(62_000)
    expect(await isCovered('mainnet')).toBe(false)
  },
)
