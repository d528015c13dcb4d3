import { expect } from 'vitest'
import { MOST_COUNTED } from '#contract/console/today.ts'
import { openDb, sql } from '#server/platform/db/db.ts'
import { interceptStatements } from '#tests/support/intercept-statements.ts'
import { addWithdrawal, checkReserve, clearMoney, storeSetting } from '#tests/support/money-situations.ts'
import { test } from '#tests/support/test-world.ts'
import { readToday } from './read-today.ts'

const insertPayout = sql({
  name: 'test-insert-payout',
  params: { id: 'uuid', signature: 'text', at: 'timestamptz' },
  text: ({ id, signature, at }) =>
    `insert into payouts (withdrawal_id, signature, signed_at) values (${id}, ${signature}, ${at})`,
})

const addWaitingAct = sql({
  name: 'test-add-waiting-act',
  params: { at: 'timestamptz' },
  text: ({ at }) =>
    `insert into operator_acts (nonce, kind, details, operator, signature, signed_form, at, expires_at)
     values (repeat('a', 32), 'freeze', '{}', 'Olga', decode(repeat('00', 64), 'hex'), 'raw', ${at}, ${at} + interval '2 days')`,
})

const postpone = sql({
  name: 'test-postpone-payout',
  params: { id: 'uuid', at: 'timestamptz' },
  text: ({ id, at }) => `update withdrawals set retry_at = ${at} where id = ${id}`,
})

const setReasons = sql({
  name: 'test-set-reasons',
  params: { id: 'uuid', reasons: 'text[]' },
  text: ({ id, reasons }) => `update withdrawals set reasons = ${reasons} where id = ${id}`,
})

const cancel = sql({
  name: 'test-cancel-payout',
  params: { id: 'uuid', at: 'timestamptz' },
  text: ({ id, at }) => `update withdrawals set cancelled_at = ${at} where id = ${id}`,
})

const unconfirm = sql({ name: 'test-unconfirm-shortage', text: 'update solvency set confirmed = false' })

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

test('a payout is stuck a quarter of an hour after its signature, however old its request is', async ({
  world,
}) => {
  await clearMoney(world)
  const db = openDb(world.urlFor('console'), { max: 2, applicationName: 'test-console' })
  const findStuck = async () => {
    const { problems } = await readToday(db, { now: world.clock.now(), isLocal: true })
    return problems.filter(({ name }) => name === 'PayoutStuck').map(({ summary }) => summary)
  }
  const id = await addWithdrawal(world, 'signed')
  // It was in review for a day.
  world.clock.advance(24 * 60 * MINUTE_MS)
  const signedAt = world.clock.now()
  await world.db.rows(insertPayout, { id, signature: id, at: signedAt })
  expect(await findStuck()).toEqual([])
  world.clock.advance(15 * MINUTE_MS)
  expect(await findStuck()).toEqual([])
  world.clock.advance(1)
  expect(await findStuck()).toEqual([
    `1 signed payouts of 10.5 $COTTON are not settled, the oldest signed at ${signedAt.toISOString()}. Check the nodes and the signer.`,
  ])
  await db.end()
  await clearMoney(world)
})

test('a backup is old after 36 hours, as in deploy/prometheus/alerts.yml', async ({ world }) => {
  await clearMoney(world)
  const db = openDb(world.urlFor('console'), { max: 2, applicationName: 'test-console' })
  const isOld = async () => {
    const { problems } = await readToday(db, { now: world.clock.now(), isLocal: false })
    return problems.some(({ name }) => name === 'BackupOld')
  }
  await storeSetting(world, 'last_backup', { at: world.clock.now().toISOString() })
  world.clock.advance(36 * HOUR_MS)
  expect(await isOld()).toBe(false)
  world.clock.advance(1)
  expect(await isOld()).toBe(true)
  await db.end()
  await clearMoney(world)
})

test('an act that waits for a quarter of an hour comes first, then a review of twelve hours and what cannot be paid', async ({
  world,
}) => {
  await clearMoney(world)
  const db = openDb(world.urlFor('console'), { max: 2, applicationName: 'test-console' })
  const findDelays = async () => {
    const { problems } = await readToday(db, { now: world.clock.now(), isLocal: true })
    const names = problems.map(({ name }) => name)
    return names.filter((name) => ['ActWaiting', 'ReviewOld', 'PayoutPostponed'].includes(name))
  }
  await addWithdrawal(world, 'review')
  await world.db.rows(addWaitingAct, { at: world.clock.now() })
  world.clock.advance(15 * MINUTE_MS)
  expect(await findDelays()).toEqual([])
  world.clock.advance(1)
  expect(await findDelays()).toEqual(['ActWaiting'])
  world.clock.advance(12 * HOUR_MS - 15 * MINUTE_MS - 1)
  expect(await findDelays()).toEqual(['ActWaiting'])
  world.clock.advance(1)
  expect(await findDelays()).toEqual(['ActWaiting', 'ReviewOld'])
  const id = await addWithdrawal(world, 'approved')
  expect(await findDelays()).toEqual(['ActWaiting', 'ReviewOld'])
  const at = world.clock.now()
  await world.db.rows(postpone, { id, at })
  expect(await findDelays()).toEqual(['ActWaiting', 'ReviewOld', 'PayoutPostponed'])
  // It waits until its player opens the token account again.
  await world.db.rows(setReasons, { id, reasons: ['account_closed'] })
  expect(await findDelays()).toEqual(['ActWaiting', 'ReviewOld'])
  await world.db.rows(setReasons, { id, reasons: ['treasury_short'] })
  expect(await findDelays()).toEqual(['ActWaiting', 'ReviewOld', 'PayoutPostponed'])
  await world.db.rows(cancel, { id, at })
  expect(await findDelays()).toEqual(['ActWaiting', 'ReviewOld'])
  await db.end()
  await clearMoney(world)
})

test('payouts that could not be paid are counted up to a thousand, and then there are at least so many', async ({
  world,
}) => {
  await clearMoney(world)
  const summaryOf = async (count: number) => {
    const db = interceptStatements(world.db, async ({ name }, run) =>
      name === 'console-read-postponed' ? [{ count }] : run(),
    )
    const { problems } = await readToday(db, { now: world.clock.now(), isLocal: true })
    return problems.find(({ name }) => name === 'PayoutPostponed')?.summary
  }
  expect(await summaryOf(MOST_COUNTED - 1)).toMatch(/^999 approved withdrawals/)
  expect(await summaryOf(MOST_COUNTED)).toMatch(/^At least 1,000 approved withdrawals/)
  await clearMoney(world)
})

test('withdrawals that wait for an approval are counted with thousands separators', async ({ world }) => {
  await clearMoney(world)
  const now = world.clock.now()
  const db = interceptStatements(world.db, async ({ name }, run) =>
    name === 'monitoring-read-open-withdrawals'
      ? [{ state: 'review', count: 1_234, amount: 5_000_000n, oldest: now }]
      : run(),
  )
  const { problems } = await readToday(db, { now, isLocal: true })
  expect(problems.find(({ name }) => name === 'WithdrawalInReview')?.summary).toMatch(
    /^1,234 withdrawals wait for your approval, 5 \$COTTON in all/,
  )
})

test('a shortage that no later reserve check has confirmed is a problem until it is confirmed or over', async ({
  world,
}) => {
  await clearMoney(world)
  const findReserve = async () => {
    const { problems, reserve } = await readToday(world.db, { now: world.clock.now(), isLocal: true })
    const ofBooks = problems.filter(({ page }) => page === 'books')
    return [reserve.standing, ...ofBooks.map(({ name, summary }) => `${name}: ${summary}`)]
  }
  await checkReserve(world, { missing: 2 })
  expect(await findReserve()).toEqual(['short', expect.stringMatching(/^TokensMissing: 2 /)])
  await world.db.rows(unconfirm)
  expect(await findReserve()).toEqual([
    'unconfirmed',
    'TokensUnconfirmed: The last reserve check found 2 $COTTON less than the game owes. A node may be behind: the next checks decide.',
  ])
  await checkReserve(world)
  expect(await findReserve()).toEqual(['covered'])
  await clearMoney(world)
})
