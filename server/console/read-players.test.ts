import { expect } from 'vitest'
import { sql } from '#server/platform/db/db.ts'
import { test } from '#tests/support/test-world.ts'
import { setLocks } from '#server/withdrawals/withdrawal-lock.ts'
import { readPlayer } from './read-players.ts'

const addWorkers = sql({
  name: 'test-add-workers',
  params: { wallet: 'text', from: 'integer', to: 'integer', at: 'timestamptz' },
  text: ({ wallet, from, to, at }) =>
    `insert into workers (wallet, worker_id, worker_type, rate_per_hour, since, purchased_at)
     select ${wallet}, 'kid-' || lpad(n::text, 8, '0'), 'kid', 5000, ${at}, ${at}
     from generate_series(${from}, ${to}) n`,
})

test('the workers of a player are summed up to ten thousand, and the reply says if there are more', async ({
  world,
}) => {
  const { wallet } = await world.player({ deposited: 1 })
  const now = world.clock.now()
  const read = async () => {
    const { workers, moreWorkers } = await readPlayer(world.db, { wallet, now })
    return [workers.map(({ type, count }) => `${count} ${type}`), moreWorkers]
  }
  await world.db.rows(addWorkers, { wallet, from: 1, to: 10_000, at: now })
  expect(await read()).toEqual([['10000 kid'], false])
  await world.db.rows(addWorkers, { wallet, from: 10_001, to: 10_001, at: now })
  expect(await read()).toEqual([['10000 kid'], true])
})

test('the lock of a player is the one that applies now, also once a weaker one has followed', async ({
  world,
}) => {
  const { wallet } = await world.player({ deposited: 1 })
  const change = (hours: number) =>
    world.db.transaction((tx) => setLocks(tx, [{ wallet, hours, key: null }], world.clock))
  const readHours = async () => (await readPlayer(world.db, { wallet, now: world.clock.now() })).lockHours
  expect(await readHours()).toBe(0)
  await change(72)
  await change(24)
  world.clock.advance(72 * 3_600_000 - 1)
  expect(await readHours()).toBe(72)
  world.clock.advance(1)
  expect(await readHours()).toBe(24)
  await change(0)
  world.clock.advance(24 * 3_600_000)
  expect(await readHours()).toBe(0)
})
