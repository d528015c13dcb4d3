import { expect } from 'vitest'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { test } from '#tests/support/test-world.ts'
import { exportJournals, listJournals } from './list-journals.ts'

test('an export that is cut says so in its last line, and a complete one does not', async ({ world }) => {
  const player = await world.player({ deposited: 200_000 })
  const days = ['2026-01-05', '2026-01-06', '2026-01-07']
  for (const day of days.slice(1)) {
    world.clock.set(`${day}T12:00:00.000Z`)
    await world.hire(player, 'kid')
  }
  const firstCells = async (limits?: { page: number; lines: number }) => {
    const cells = []
    for await (const page of exportJournals(world.db, { wallet: player.wallet }, limits).rows)
      cells.push(...page.map(([first]) => first))
    return cells
  }
  const lines = days.toReversed().flatMap((day) => [`${day}T12:00:00.000Z`, `${day}T12:00:00.000Z`])
  const complete = ['time (UTC)', ...lines]
  expect(await firstCells()).toEqual(complete)
  expect(await firstCells({ page: 1, lines: 6 })).toEqual(complete)
  expect(await firstCells({ page: 1, lines: 3 })).toEqual([
    ...complete.slice(0, 5),
    'CUT: the journals up to 2026-01-05T12:00:00.000Z are missing. Choose an earlier last day for them.',
  ])
})

const LONG_DETAIL = `insert into journals (id, wallet, kind, at, detail)
  values (gen_random_uuid(), 'long', 'claim', now(), jsonb_build_object('x', repeat('y', 1000000)))`

test('a detail of any size that a login has stored is listed with 4,000 characters', async ({ world }) => {
  const reading = world.db.transaction(async (tx) => {
    await runQuery(tx, LONG_DETAIL)
    const { items } = await listJournals(tx, { kind: 'claim' })
    expect(items.map(({ wallet, detail }) => [wallet, detail.length])).toEqual([['long', 4_000]])
    throw new Error('roll back')
  })
  await expect(reading).rejects.toThrow('roll back')
})

test('an export that finds nothing yields after each page, so that it ends when its reader has left', async ({
  world,
}) => {
  const { wallet } = await world.player({ deposited: 5 })
  const lengths = []
  const limits = { page: 1, lines: 10 }
  for await (const page of exportJournals(world.db, { wallet, least: '1000' }, limits).rows)
    lengths.push(page.length)
  expect(lengths).toEqual([1, 0, 0])
})
