import { expect } from 'vitest'
import { openDb, sql } from '#server/platform/db/db.ts'
import { resumeWithdrawals } from '#server/withdrawals/withdrawal-pause.ts'
import { ops } from '#tests/support/run-ops.ts'
import { test } from '#tests/support/test-world.ts'
import { readLog } from './operator-log.ts'

test('an operator freezes a wallet with a reason; what cannot be frozen is refused and logged', async ({
  world,
}) => {
  const { wallet } = await world.player()
  const freeze = ['freeze', wallet, '--by', 'Ana', '--reason', 'A report.']
  expect(await ops(world, 'frozen')).toBe('No wallet is frozen.')
  expect(await ops(world, ...freeze)).toMatch(`${wallet} is frozen.`)
  expect(await ops(world, 'frozen')).toBe(
    `${wallet}  since ${world.clock.now().toISOString()} by ana: A report.`,
  )
  await expect(ops(world, ...freeze)).rejects.toThrow(`${wallet} is already frozen since`)
  await expect(ops(world, 'freeze', 'nobody', '--by', 'ana', '--reason', 'x')).rejects.toThrow(
    'nobody is not a wallet address',
  )
  await expect(ops(world, 'freeze', wallet, '--by', 'ana')).rejects.toThrow('--reason is missing')
  expect(
    (await readLog(world.db, 3)).map(({ command, reason, outcome }) => [command, reason, outcome]),
  ).toEqual([
    ['freeze', 'A report.', expect.stringContaining('is frozen.')],
    ['freeze', 'A report.', expect.stringContaining('Refused:')],
    ['freeze', 'x', expect.stringContaining('Refused:')],
  ])
})

const idleForEver = sql({
  name: 'test-idle-for-ever',
  text: 'set local idle_in_transaction_session_timeout = 0',
})

const takeLocks = sql({
  name: 'test-take-locks',
  text: 'select pg_advisory_xact_lock(lock) from generate_series(4032000, 4032099) lock',
})

test('advisory locks, which any login can take, keep no operator from pausing or freezing', async ({
  world,
}) => {
  const { wallet } = await world.player()
  const by = ['--by', 'ana', '--reason', 'An incident.']
  const api = openDb(world.urlFor('api'), { max: 1, applicationName: 'test-locks' })
  try {
    await api.transaction(async (tx) => {
      await tx.rows(idleForEver)
      await tx.rows(takeLocks)
      expect(await ops(world, 'pause', 'withdrawals', ...by)).toBe('Withdrawals are paused.')
      expect(await ops(world, 'freeze', wallet, ...by)).toMatch(`${wallet} is frozen.`)
    })
  } finally {
    await api.end()
    await resumeWithdrawals(world.db)
  }
})
