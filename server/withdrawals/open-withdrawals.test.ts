import { randomBytes, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { WITHDRAWAL_REASONS, type WithdrawalReason } from '#contract/withdrawal-reasons.ts'
import { cotton } from '#game/cotton.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { addWithdrawal, clearMoney } from '#tests/support/money-situations.ts'
import { test } from '#tests/support/test-world.ts'
import {
  explainWaiting,
  lockWithdrawal,
  moveWithdrawal,
  postponeWithdrawal,
  readOpenPayouts,
  readPayable,
  readRequested,
  recordVerdict,
} from './open-withdrawals.ts'

const HOUR_MS = 3_600_000

test.afterEach(({ world }) => clearMoney(world))

/** Withdrawals that were requested one minute after the other. The last of those tried is due after all others. */
const addMany = sql({
  name: 'test-add-many',
  params: { state: 'text', count: 'integer', from: 'timestamptz', retryAt: 'timestamptz | null' },
  text: ({ state, count, from, retryAt }) =>
    `insert into withdrawals (id, wallet, deposited, earned, hold_id, day, requested_at, nonce, wallet_signature, state, retry_at)
     select gen_random_uuid(), 'wallet ' || n, 1, 0, gen_random_uuid(), '2026-01-05', ${from} + n * interval '1 minute',
       replace(gen_random_uuid()::text, '-', ''), decode(repeat('00', 64), 'hex'), ${state}, ${retryAt} + n * interval '1 second'
     from generate_series(1, ${count}) n`,
})

const readRow = sql({
  name: 'test-read-open',
  params: { id: 'uuid' },
  row: rowOf<Record<string, unknown>>(),
  text: ({ id }) => `select state, reason, reasons, tries, retry_at as "retryAt", judged_at as "judgedAt",
    verdict_mac as mac from withdrawals where id = ${id}`,
})

const walletsTo = (count: number): string[] => Array.from({ length: count }, (_, at) => `wallet ${at + 1}`)

test('a round reads the hundred oldest requests', async ({ world }) => {
  const from = world.clock.now()
  await world.db.rows(addMany, { state: 'requested', count: 101, from, retryAt: null })
  expect((await readRequested(world.db)).map(({ wallet }) => wallet)).toEqual(walletsTo(100))
})

test('a round pays the forty oldest whose retry is due, then the sixty oldest that were never tried', async ({
  world,
}) => {
  const from = world.clock.now()
  await world.db.rows(addMany, { state: 'approved', count: 61, from, retryAt: null })
  await world.db.rows(addMany, { state: 'approved', count: 41, from, retryAt: from })
  const payable = async (afterSeconds: number) =>
    (await readPayable(world.db, new Date(from.getTime() + afterSeconds * 1_000))).map(({ wallet }) => wallet)
  expect(await payable(41)).toEqual([...walletsTo(40), ...walletsTo(60)])
  expect(await payable(3)).toEqual([...walletsTo(3), ...walletsTo(60)])
  expect(await payable(0)).toEqual(walletsTo(60))
  // Retries that are further away than any delay were set by a clock that was ahead.
  expect(await payable(-11 * 60)).toEqual([...walletsTo(40), ...walletsTo(60)])
})

test('a withdrawal that cannot be paid shows why, how often it was tried and when it is tried again', async ({
  world,
}) => {
  const id = await addWithdrawal(world, 'approved')
  const retryAt = new Date(world.clock.now().getTime() + HOUR_MS)
  await postponeWithdrawal(world.db, { id, reason: 'treasury_short', tries: 3, retryAt })
  expect(await world.db.rows(readRow, { id })).toEqual([
    {
      state: 'approved',
      reason: WITHDRAWAL_REASONS.treasury_short,
      reasons: ['treasury_short'],
      tries: 3,
      retryAt,
      judgedAt: null,
      mac: null,
    },
  ])
})

test('while nothing can be paid, those that were never tried show why, and the others their own reason', async ({
  world,
}) => {
  const [tried, untried] = [await addWithdrawal(world, 'approved'), await addWithdrawal(world, 'approved')]
  const retryAt = world.clock.now()
  await postponeWithdrawal(world.db, { id: tried, reason: 'account_closed', tries: 1, retryAt })
  await explainWaiting(world.db, 'reserve_unseen')
  const shown = async (id: string) => (await world.db.rows(readRow, { id }))[0]
  expect(await shown(tried)).toMatchObject({ reasons: ['account_closed'] })
  expect(await shown(untried)).toMatchObject({
    reason: WITHDRAWAL_REASONS.reserve_unseen,
    reasons: ['reserve_unseen'],
    retryAt: null,
  })
})

test('a withdrawal changes its state only from the state that is expected', async ({ world }) => {
  const id = await addWithdrawal(world, 'approved')
  const shown = async () => (await world.db.rows(readRow, { id }))[0]
  const reasons: WithdrawalReason[] = ['not_approved', 'frozen']
  expect(await moveWithdrawal(world.db, { id, from: 'approved', to: 'review', reasons })).toBe(true)
  expect(await shown()).toMatchObject({
    state: 'review',
    reason: WITHDRAWAL_REASONS.not_approved,
    reasons: ['not_approved', 'frozen'],
  })
  expect(await moveWithdrawal(world.db, { id, from: 'approved', to: 'signed' })).toBe(false)
  expect(await moveWithdrawal(world.db, { id, from: 'review', to: 'requested' })).toBe(true)
  expect(await shown()).toMatchObject({ state: 'requested', reason: null, reasons: [] })
})

test('a request is reviewed once', async ({ world }) => {
  const id = await addWithdrawal(world, 'requested')
  const now = world.clock.now()
  const mac = randomBytes(32)
  const record = (state: 'approved' | 'review', reasons: WithdrawalReason[]) =>
    recordVerdict(world.db, { id, state, reasons, mac, now })
  expect([await record('approved', []), await record('review', ['large'])]).toEqual([true, false])
  expect(await world.db.rows(readRow, { id })).toMatchObject([
    { state: 'approved', reason: null, reasons: [], judgedAt: now, mac },
  ])
})

test('a withdrawal that does not exist is not locked', async ({ world }) => {
  const locked = (id: string) => world.db.transaction((tx) => lockWithdrawal(tx, id))
  expect(await locked(randomUUID())).toBeNull()
  const id = await addWithdrawal(world, 'review')
  expect(await locked(id)).toMatchObject({ id, state: 'review' })
})

const addPayout = sql({
  name: 'test-add-payout',
  params: { id: 'uuid', lane: 'integer', signature: 'text', wire: 'bytea', at: 'timestamptz' },
  text: (
    of,
  ) => `with lane as (insert into lanes (lane, nonce_account) values (${of.lane}, 'account of ' || ${of.lane}))
    insert into payouts (withdrawal_id, lane, nonce, signature, wire, signed_at, unit_price, opens_account)
    values (${of.id}, ${of.lane}, 'nonce of ' || ${of.lane}, ${of.signature}, ${of.wire}, ${of.at}, 7, true)`,
})

const addReplacement = sql({
  name: 'test-add-replacement',
  params: { id: 'uuid', attempt: 'integer', signature: 'text', wire: 'bytea', at: 'timestamptz' },
  text: (
    of,
  ) => `insert into payout_replacements (withdrawal_id, attempt, signature, wire, unit_price, signed_at)
    values (${of.id}, ${of.attempt}, ${of.signature}, ${of.wire}, 9, ${of.at})`,
})

test('an open payout has its lane and all its attempts, the oldest first', async ({ world }) => {
  const at = world.clock.now()
  const later = new Date(at.getTime() + HOUR_MS)
  const [replaced, single] = [await addWithdrawal(world, 'sent'), await addWithdrawal(world, 'signed')]
  // Longer than a line of base64.
  const wire = randomBytes(200)
  const text = wire.toString('base64')
  await world.db.rows(addPayout, { id: replaced, lane: 1, signature: 'first', wire, at })
  await world.db.rows(addReplacement, { id: replaced, attempt: 2, signature: 'second', wire, at: later })
  await world.db.rows(addPayout, { id: single, lane: 2, signature: 'only', wire, at: later })
  const attempts = [
    { signature: 'first', wire: text, unitPrice: 7n, signedAt: at },
    { signature: 'second', wire: text, unitPrice: 9n, signedAt: later },
  ]
  const common = {
    wallet: 'WALLETofAplayerWALLETofAplayerWALLETofAplay',
    amount: cotton(10) + 500_000n,
    opensAccount: true,
    wire: text,
  }
  expect(await readOpenPayouts(world.db)).toEqual([
    {
      ...common,
      id: replaced,
      state: 'sent',
      lane: { nonceAccount: 'account of 1', nonce: 'nonce of 1' },
      attempts,
      signature: 'second',
    },
    {
      ...common,
      id: single,
      state: 'signed',
      lane: { nonceAccount: 'account of 2', nonce: 'nonce of 2' },
      attempts: [{ signature: 'only', wire: text, unitPrice: 7n, signedAt: later }],
      signature: 'only',
    },
  ])
})
