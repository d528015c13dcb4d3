import { expect } from 'vitest'
import { sql } from '#server/platform/db/db.ts'
import { test } from '#tests/support/test-world.ts'
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
