import { expect } from 'vitest'
import { test } from '#tests/support/test-world.ts'
import { pauseWithdrawals, readPause, resumeWithdrawals, withdrawalsPaused } from './withdrawal-pause.ts'

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
