import { expect } from 'vitest'
import { NO_OPERATORS } from '#server/operators/read-operators.ts'
import { sql } from '#server/platform/db/db.ts'
import { addWithdrawal, clearMoney } from '#tests/support/money-situations.ts'
import { test } from '#tests/support/test-world.ts'
import { listDeposits } from './list-deposits.ts'
import { listLog } from './list-log.ts'
import { listWithdrawals } from './list-withdrawals.ts'
import { listActs } from './read-acts.ts'

test.afterEach(({ world }) => clearMoney(world))

const WALLET = 'So11111111111111111111111111111111111111112'

/** One receipt of each kind, each a minute after the one before. */
const addReceipts = sql({
  name: 'test-add-receipts',
  params: { wallet: 'text', at: 'timestamptz' },
  text: ({ wallet, at }) =>
    `insert into receipts (signature, token_account, wallet, asset, amount, slot, state, why, seen_at, credited_at, journal_id)
     select signature, 'account', case when why = 'of_nobody' then null else ${wallet} end, asset, 5000000, 1, state, why,
       ${at} + n * interval '1 minute', case when state = 'credited' then ${at} end,
       case when state = 'credited' then gen_random_uuid() end
     from (values (1, 'waits', 'cotton', 'pending', null), (2, 'gone', 'cotton', 'dropped', null),
       (3, 'paid', 'cotton', 'credited', null), (4, 'sol', 'sol', 'unclaimed', 'sol'),
       (5, 'unassigned', 'other_token', 'unclaimed', 'of_nobody')) as r (n, signature, asset, state, why)`,
})

test('each list of deposits has what it names, and that of a wallet all that arrived for it', async ({
  world,
}) => {
  await world.db.rows(addReceipts, { wallet: WALLET, at: world.clock.now() })
  const signaturesOf = async (query: Parameters<typeof listDeposits>[1]) =>
    (await listDeposits(world.db, query)).items.map(({ signature }) => signature)
  expect(await signaturesOf({ view: 'pending' })).toEqual(['waits'])
  expect(await signaturesOf({ view: 'credited' })).toEqual(['paid'])
  expect(await signaturesOf({ view: 'uncredited' })).toEqual(['unassigned', 'sol'])
  expect(await signaturesOf({ view: 'unassigned' })).toEqual(['unassigned'])
  expect(await signaturesOf({ view: 'pending', wallet: WALLET })).toEqual(['sol', 'paid', 'gone', 'waits'])
  expect(await signaturesOf({ view: 'pending', wallet: `${WALLET.slice(0, -1)}3` })).toEqual([])
})

/** Not in the order of their states. */
const STATES = ['sent', 'finalized', 'review', 'requested', 'refunded', 'signed', 'approved'] as const

test('each list of withdrawals has what it names: the oldest open one first, and the newest ended one', async ({
  world,
}) => {
  for (const state of STATES) {
    await addWithdrawal(world, state)
    world.clock.advance(60_000)
  }
  const context = { operators: NO_OPERATORS, now: world.clock.now() }
  const list = async (query: Parameters<typeof listWithdrawals>[1]) =>
    (await listWithdrawals(world.db, query, context)).items
  const statesOf = async (query: Parameters<typeof list>[0]) => (await list(query)).map(({ state }) => state)
  const open = ['sent', 'review', 'requested', 'signed', 'approved']
  expect(await statesOf({ state: 'open' })).toEqual(open)
  for (const state of STATES) expect(await statesOf({ state })).toEqual([state])
  const { wallet } = (await list({ state: 'open' }))[0]!
  expect(await statesOf({ state: 'open', wallet })).toEqual(open)
  expect(await statesOf({ state: 'review', wallet })).toEqual(STATES.toReversed())
  expect(await statesOf({ state: 'open', wallet: WALLET })).toEqual([])
  expect(await statesOf({ state: 'review', wallet: WALLET })).toEqual([])

  const earlier = world.clock.now()
  world.clock.advance(60_000)
  for (const state of ['review', 'finalized']) await addWithdrawal(world, state)
  const isNewestFirst = async (state: 'review' | 'finalized') => {
    const times = (await list({ state })).map(({ requestedAt }) => requestedAt)
    expect(times).toHaveLength(2)
    return times[0]! > earlier.toISOString()
  }
  expect([await isNewestFirst('review'), await isNewestFirst('finalized')]).toEqual([false, true])
})

const addActs = sql({
  name: 'test-add-acts',
  params: { at: 'timestamptz' },
  text: ({ at }) =>
    `insert into operator_acts (nonce, kind, details, operator, signature, signed_form, at, expires_at, state, done_at)
     select repeat(n::text, 32), 'freeze', '{}', 'Olga', decode(repeat('00', 64), 'hex'), 'raw',
       ${at} + n * interval '1 minute', ${at} + interval '1 day', state, case when state <> 'waiting' then ${at} end
     from (values (1, 'done'), (2, 'waiting'), (3, 'refused'), (4, 'done')) as r (n, state)`,
})

test('signed acts are listed by their state, the newest first', async ({ world }) => {
  await world.db.rows(addActs, { at: world.clock.now() })
  const noncesOf = async (query: Parameters<typeof listActs>[1]) =>
    (await listActs(world.db, query, NO_OPERATORS)).items.map(({ nonce }) => nonce.charAt(0))
  expect(await noncesOf({})).toEqual(['4', '3', '2', '1'])
  expect(await noncesOf({ state: 'done' })).toEqual(['4', '1'])
  expect(await noncesOf({ state: 'waiting' })).toEqual(['2'])
  expect(await noncesOf({ state: 'refused' })).toEqual(['3'])
})

const addLines = sql({
  name: 'test-add-lines',
  params: { at: 'timestamptz' },
  text: ({ at }) =>
    `insert into operator_log (at, who, command, arguments, outcome)
     select ${at}, who, command, '{}', '' from (values ('Ana', 'first'), ('Anabel', 'second'), ('ANA', 'third')) as r (who, command)`,
})

test('the log of one operator has the whole name in any case, the newest line first', async ({ world }) => {
  await world.db.rows(addLines, { at: world.clock.now() })
  const commandsOf = async (query: Parameters<typeof listLog>[1]) =>
    (await listLog(world.db, query)).items.map(({ command }) => command)
  expect(await commandsOf({})).toEqual(['third', 'second', 'first'])
  expect(await commandsOf({ who: 'ana' })).toEqual(['third', 'first'])
  expect(await commandsOf({ who: 'an' })).toEqual([])
})
