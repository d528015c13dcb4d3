import { expect } from 'vitest'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { test } from '#tests/support/test-world.ts'
import {
  lockPause,
  pauseUnlessPaused,
  pauseWithdrawals,
  readPause,
  resumeWithdrawals,
  withdrawalsPaused,
} from './withdrawal-pause.ts'

test('withdrawals are paused, for every reason that was given, until they are resumed', async ({
  world: { db, clock },
}) => {
  const shown = async () => [await withdrawalsPaused(db), await readPause(db)]
  expect(await shown()).toEqual([false, null])
  const since = clock.now()
  for (const why of ['An audit of the books.', 'Tokens are missing.'])
    await pauseWithdrawals(db, { why, now: since })
  const why = expect.stringMatching(/An audit of the books\..*Tokens are missing\./s)
  expect(await shown()).toEqual([true, { id: expect.any(String), why, since }])
  await resumeWithdrawals(db)
  expect(await shown()).toEqual([false, null])
})

test('who pauses for the reason of a pause learns of it, and changes nothing', async ({
  world: { db, clock },
}) => {
  const pausing = { why: 'Tokens are missing.', now: clock.now() }
  const pause = () => db.transaction((tx) => pauseUnlessPaused(tx, pausing))
  expect(await pause()).toBe(null)
  const first = await readPause(db)
  expect(first?.why).toBe(pausing.why)
  expect(await pause()).toEqual(first)
  expect(await readPause(db)).toEqual(first)
  await resumeWithdrawals(db)
})

test.for(['infinity', '-infinity', '290000-01-01'])(
  'a pause that a login has stored for %s has a time that can be shown',
  async (since, { world: { db } }) => {
    await runQuery(db, `select pause_withdrawals('x', $1::timestamptz)`, [since])
    const pause = await readPause(db)
    expect(pause?.since.toISOString()).toMatch(/^(1970-01-01|9999-12-31)T/)
    expect(await db.transaction(lockPause)).toEqual(pause)
    await resumeWithdrawals(db)
  },
)

test('a pause that a login has stored without a reason has an empty one', async ({ world: { db } }) => {
  await runQuery(db, 'select pause_withdrawals(null, now())')
  const pause = await readPause(db)
  expect(pause).toMatchObject({ id: expect.any(String), why: '' })
  expect(await db.transaction(lockPause)).toEqual(pause)
  await pauseWithdrawals(db, { why: 'Tokens are missing.', now: new Date() })
  expect(await readPause(db)).toMatchObject({ why: 'Tokens are missing.' })
  await resumeWithdrawals(db)
  await runQuery(
    db,
    `insert into settings (name, value, at) values ('withdrawals_paused', '{"id": "x", "why": null}', now())`,
  )
  expect(await readPause(db)).toMatchObject({ why: '' })
  await pauseWithdrawals(db, { why: 'Tokens are missing.', now: new Date() })
  expect(await readPause(db)).toMatchObject({ why: 'Tokens are missing.' })
  await resumeWithdrawals(db)
})
