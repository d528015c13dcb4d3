import { expect } from 'vitest'
import { toDecimal } from '#game/cotton.ts'
import { CONSOLE_ROUTES } from '#contract/console/routes.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { callConsole, logInToConsole, openConsole } from '#tests/support/operators-console.ts'
import { waitFor } from '#tests/support/run-server.ts'
import { openSessions } from '#tests/support/open-sessions.ts'
import { call, logIn, serveApp } from '#tests/support/serve-app.ts'
import { testPlayer } from '#tests/support/test-player.ts'
import { test as base } from '#tests/support/test-world.ts'

const test = base.extend('operators', async ({ world }, { onCleanup }) => {
  const console = await openConsole(world)
  onCleanup(() => console.close())
  return console
})

const readLog = sql({
  name: 'test-actions-log',
  row: rowOf<{ who: string; command: string; reason: string | null; outcome: string }>(),
  text: `select who, command, reason, outcome from operator_log where command <> 'log in' order by id desc limit 2`,
})

const clearPause = sql({
  name: 'test-clear-pause',
  text: `delete from settings where name = 'withdrawals_paused'`,
})

const lockSettings = sql({ name: 'test-lock-settings', text: 'lock table settings in exclusive mode' })

const lockSessions = sql({ name: 'test-lock-sessions', text: 'lock table sessions in exclusive mode' })

const countWaiting = sql({
  name: 'test-count-waiting',
  row: rowOf<{ count: number }>(),
  text: `select count(*)::int as count from pg_stat_activity
   where datname = current_database() and application_name = 'test-console' and wait_event_type = 'Lock'`,
})

const endSome = sql({
  name: 'test-end-some',
  params: { wallet: 'text', now: 'timestamptz' },
  row: rowOf<{ ended: number }>(),
  text: ({ wallet, now }) => `select end_player_sessions(${wallet}, ${now}) as ended`,
})

test('of two operators who pause at once one does, and the other reads who was first', async ({
  world,
  operators,
}) => {
  const tokens = await Promise.all(
    ['Ana', 'Bert'].map((name) => logInToConsole(operators, operators.addOperator(name, 'decide'))),
  )
  // Both are on their way before either has paused.
  const calls = await world.db.transaction(async (tx) => {
    await tx.rows(lockSettings)
    const started = tokens.map((token, at) =>
      callConsole(operators, CONSOLE_ROUTES.pause, { token, body: { reason: `reason ${at}` } }),
    )
    await waitFor('both to wait', async () => (await world.db.rows(countWaiting))[0]?.count === 2)
    return started
  })
  const answers = await Promise.all(calls)
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const first = answers.findIndex(({ status }) => status === 200)
  const second = answers[1 - first]!
  expect(second.body.code).toBe('already_done')
  const already = `Withdrawals are already paused since 2026-01-05T12:00:00.000Z: reason ${first}`
  expect(second.body.message).toBe(`${already} Nothing was changed.`)
  const names = ['Ana', 'Bert']
  expect(await world.db.rows(readLog)).toMatchObject([
    { who: names[1 - first], command: 'pause', outcome: `Refused: ${already}` },
    { who: names[first], command: 'pause', reason: `reason ${first}`, outcome: 'Withdrawals are paused.' },
  ])
  await world.db.rows(clearPause)
})

test('an operator logs a player out everywhere, and the log says why', async ({ world, operators }) => {
  const game = await serveApp(world)
  const player = testPlayer()
  const first = await logIn(game, player)
  await logIn(game, player)
  const token = await logInToConsole(operators, operators.addOperator('Ana', 'decide'))
  const body = { wallet: player.wallet, reason: 'a stolen phone' }
  const answer = await callConsole(operators, CONSOLE_ROUTES.endPlayerSessions, { token, body })
  expect(answer.body).toMatchObject({ ended: 2, outcome: '2 sessions are ended.' })
  const again = await serveApp(world)
  expect((await call(again, 'GET', '/api/users/sessions', { token: first })).status).toBe(401)
  expect((await world.db.rows(readLog))[0]).toMatchObject({
    who: 'Ana',
    command: 'end sessions',
    reason: 'a stolen phone',
  })
  await game.close()
  await again.close()
})

test('more log-outs at once than the console has connections all succeed', async ({ world, operators }) => {
  const token = await logInToConsole(operators, operators.addOperator('Ana', 'decide'))
  const wallets = Array.from({ length: 12 }, () => testPlayer().wallet)
  const calls = await world.db.transaction(async (tx) => {
    await tx.rows(lockSessions)
    const started = wallets.map((wallet) => {
      const body = { wallet, reason: 'a stolen phone' }
      return callConsole(operators, CONSOLE_ROUTES.endPlayerSessions, { token, body })
    })
    // Every connection is used before one of the calls is finished.
    await waitFor('all connections to wait', async () => (await world.db.rows(countWaiting))[0]?.count === 5)
    return started
  })
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(wallets.map(() => 200))
})

test('an operator ends any number of sessions, ten thousand in a statement, and the log counts them once', async ({
  world,
  operators,
}) => {
  const { wallet } = testPlayer()
  await world.db.rows(openSessions, { wallet, now: world.clock.now() })
  const token = await logInToConsole(operators, operators.addOperator('Ana', 'decide'))
  const body = { wallet, reason: 'a stolen key' }
  const answer = await callConsole(operators, CONSOLE_ROUTES.endPlayerSessions, { token, body })
  expect(answer.body).toMatchObject({ ended: 10_007, outcome: '10,007 sessions are ended.' })
  expect((await world.db.rows(readLog))[0]).toMatchObject({ outcome: '10,007 sessions are ended.' })
  // What one statement of the function ends.
  const other = testPlayer().wallet
  await world.db.rows(openSessions, { wallet: other, now: world.clock.now() })
  const ended = () => world.db.rows(endSome, { wallet: other, now: world.clock.now() })
  expect([await ended(), await ended(), await ended()].flat()).toEqual([
    { ended: 10_000 },
    { ended: 7 },
    { ended: 0 },
  ])
})

test('a wallet is frozen once, with a reason', async ({ world, operators }) => {
  const player = await world.player({ deposited: 5 })
  const token = await logInToConsole(operators, operators.addOperator('Ana', 'decide'))
  const body = { wallet: player.wallet, reason: 'under review' }
  expect((await callConsole(operators, CONSOLE_ROUTES.freezePlayer, { token, body })).status).toBe(200)
  const again = await callConsole(operators, CONSOLE_ROUTES.freezePlayer, { token, body })
  expect(again.body.code).toBe('already_done')
  const read = await callConsole(operators, CONSOLE_ROUTES.readPlayer, {
    token,
    query: { wallet: player.wallet },
  })
  expect(read.body.player).toMatchObject({
    deposited: '5',
    frozen: { reason: 'under review', by: 'Ana', since: '2026-01-05T12:00:00.000Z' },
  })
})

test('a wallet that lacks a character is not frozen', async ({ operators }) => {
  const token = await logInToConsole(operators, operators.addOperator('Ana', 'decide'))
  const body = { wallet: 'So1111111111111111111111111111111111111111', reason: 'under review' }
  const { status, body: answer } = await callConsole(operators, CONSOLE_ROUTES.freezePlayer, { token, body })
  expect([status, answer.message]).toEqual([400, 'wallet: is not a wallet address'])
})

test('an announcement is shown between its times, and ends early', async ({ world, operators }) => {
  const token = await logInToConsole(operators, operators.addOperator('Ana', 'settings'))
  const times = { startsAt: '2026-01-05T12:00:00.000Z', endsAt: '2026-01-06T00:00:00.000Z' }
  const created = await callConsole(operators, CONSOLE_ROUTES.announce, {
    token,
    body: { text: 'New land on Friday.', ...times },
  })
  const list = async () =>
    (await callConsole(operators, CONSOLE_ROUTES.listAnnouncements, { token })).body.items
  expect(await list()).toMatchObject([
    { text: 'New land on Friday.', state: 'shown', createdBy: 'Ana', ...times },
  ])
  const body = { id: String(created.body.id), reason: 'wrong day' }
  expect((await callConsole(operators, CONSOLE_ROUTES.endAnnouncement, { token, body })).status).toBe(200)
  expect(await list()).toMatchObject([{ state: 'over' }])
  for (let at = 0; at < 6; at++)
    await callConsole(operators, CONSOLE_ROUTES.announce, { token, body: { text: `text ${at}`, ...times } })
  const states = ((await list()) as { state: string }[]).map(({ state }) => state)
  expect(states.toSorted()).toEqual(['hidden', 'over', ...Array.from({ length: 5 }, () => 'shown')])
  expect((await callConsole(operators, CONSOLE_ROUTES.endAnnouncement, { token, body })).body.code).toBe(
    'announcement_not_found',
  )
  const backwards = { text: 'x', startsAt: times.endsAt, endsAt: times.startsAt }
  expect((await callConsole(operators, CONSOLE_ROUTES.announce, { token, body: backwards })).body.code).toBe(
    'act_refused',
  )
  // The log says what the operator read.
  const [refused, gone] = await world.db.rows(readLog)
  expect(refused?.outcome).toBe('Refused: An announcement ends after its start and after now.')
  expect(gone?.outcome).toBe('Refused: This announcement does not exist, or it is over.')
  // Postgres has no year 0.
  for (const far of [{ startsAt: '0000-02-20T00:00:00.000Z' }, { endsAt: '9999-12-31T23:59:59.999Z' }]) {
    const answer = await callConsole(operators, CONSOLE_ROUTES.announce, {
      token,
      body: { text: 'x', ...times, ...far },
    })
    expect([answer.status, answer.body.code]).toEqual([400, 'malformed'])
  }
})

const bindChain = sql({
  name: 'test-bind-chain',
  params: { value: 'jsonb' },
  text: ({ value }) =>
    `insert into settings (name, value) values ('chain', ${value}) on conflict (name) do update set value = excluded.value`,
})

const readActs = sql({
  name: 'test-read-acts',
  row: rowOf<{ kind: string; state: string; operator: string }>(),
  text: 'select kind, state, operator from operator_acts order by at',
})

test('a signed act is stored once for the signer, however often it is submitted', async ({
  world,
  operators,
}) => {
  const treasury = testPlayer().wallet
  await world.db.rows(bindChain, { value: { genesisHash: 'a', mint: 'b', treasury, cluster: 'local' } })
  const ana = operators.addOperator('Ana', 'adjust')
  const token = await logInToConsole(operators, ana)
  const act = { kind: 'fund', amount: '1500', reason: 'more rewards' }
  const prepared = await callConsole(operators, CONSOLE_ROUTES.prepareAct, { token, body: { act } })
  const message = String(prepared.body.message)
  expect(message.split('\n')).toEqual([
    'Cotton Farm operator, farm.test',
    `World: ${treasury}`,
    'Act: fund the reward pool',
    'Amount: 1,500 $COTTON',
    'Number: funding 1',
    'Reason: more rewards',
    `Operator: ${ana.wallet}`,
    `Nonce: ${String(prepared.body.nonce)}`,
    `Expires: ${String(prepared.body.expiresAt)}`,
  ])
  const body = { act, message, signature: ana.sign(message).toString('base64') }
  for (let attempt = 0; attempt < 3; attempt++) {
    const answer = await callConsole(operators, CONSOLE_ROUTES.submitAct, { token, body })
    expect(answer.body).toMatchObject({ success: true, nonce: prepared.body.nonce, state: 'waiting' })
  }
  expect(await world.db.rows(readActs)).toEqual([{ kind: 'fund', state: 'waiting', operator: ana.wallet }])
  const query = { nonce: String(prepared.body.nonce) }
  const stored = await callConsole(operators, CONSOLE_ROUTES.readAct, { token, query })
  expect(stored.body.act).toMatchObject({ kind: 'fund', name: 'Ana', state: 'waiting' })

  // Whoever signs another one with this number reads it before.
  const again = await callConsole(operators, CONSOLE_ROUTES.prepareAct, { token, body: { act } })
  expect(prepared.body.waiting).toBeNull()
  expect(again.body.waiting).toMatch(/^Ana has signed funding 1 at \S+, and it waits for the signer\. /)

  const other = { ...body, act: { ...act, amount: '1501' } }
  const byOther = await logInToConsole(operators, operators.addOperator('Bert', 'adjust'))
  for (const [by, changed] of [
    [token, other],
    [byOther, body],
  ] as const) {
    const answer = await callConsole(operators, CONSOLE_ROUTES.submitAct, { token: by, body: changed })
    expect([answer.status, answer.body.code]).toEqual([409, 'act_refused'])
  }
  expect(await world.db.rows(readActs)).toHaveLength(1)
  // One line for each.
  expect(await world.db.rows(readLog)).toMatchObject([
    { who: 'Bert', command: 'fund', outcome: expect.stringMatching(/^Refused: /) },
    { who: 'Ana', command: 'fund', outcome: expect.stringMatching(/^Refused: /) },
  ])
})

test('the ledger is found by wallet, kind, day and amount, and is the same as CSV', async ({
  world,
  operators,
}) => {
  const token = await logInToConsole(operators, operators.addOperator('Ana', 'view'))
  const player = await world.player({ deposited: 200_000 })
  await world.hire(player, 'kid')
  await world.buy(player, 'EU-FR')
  const { wallet } = player
  const list = async (query: Record<string, string>) => {
    const { body } = await callConsole(operators, CONSOLE_ROUTES.listJournals, { token, query })
    return (body.items as { kind: string; amount: string }[]).map(({ kind, amount }) => `${kind} ${amount}`)
  }
  expect(await list({ wallet })).toEqual(['parcel 100000', 'hire 50000', 'adjustment 200000'])
  expect(await list({ wallet, kind: 'hire' })).toEqual(['hire 50000'])
  expect(await list({ kind: 'parcel' })).toEqual(['parcel 100000'])
  expect(await list({ wallet, least: '60000', most: '150000' })).toEqual(['parcel 100000'])
  expect(await list({ wallet, from: '2026-01-06' })).toEqual([])
  const { body } = await callConsole(operators, CONSOLE_ROUTES.exportJournals, { token, query: { wallet } })
  const lines = String(body.text).trim().split('\r\n')
  expect(lines).toHaveLength(1 + 3 * 2)
  expect(lines[1]).toContain('parcel')
  expect(lines.filter((line) => line.includes(toDecimal(-100_000_000_000n)))).toHaveLength(1)
})

const damageLog = sql({
  name: 'test-damage-log',
  text: `insert into operator_log (at, who, command, arguments, outcome) values
    ('infinity', 'eve', 'x', '{"a": {"toString": 1}, "b": null, "c": 2}', 'y'), ('infinity', 'eve', 'x', 'null', 'y')`,
})

test('a line of the log that a login of 0.1.0 has damaged hides no other', async ({ world, operators }) => {
  const token = await logInToConsole(operators, operators.addOperator('Olga', 'view'))
  await world.db.rows(damageLog)
  const { status, body } = await callConsole(operators, CONSOLE_ROUTES.listLog, { token })
  expect(status).toBe(200)
  expect((body.items as object[]).slice(0, 3)).toEqual([
    expect.objectContaining({ who: 'eve', at: '9999-12-31T23:59:59.000Z', arguments: {} }),
    expect.objectContaining({ who: 'eve', arguments: { a: '{"toString": 1}', b: '', c: '2' } }),
    expect.objectContaining({ who: 'Olga', command: 'log in', login: 'console' }),
  ])
})

const addLinesWithHighIds = sql({
  name: 'test-add-lines-with-high-ids',
  text: `insert into operator_log (id, at, who, command, arguments, outcome) overriding system value
    select 9000000000000000000 + n, '2026-01-05', 'eve', 'x', '{}', 'y' from generate_series(1, 60) n`,
})

test('lines with the highest ids, which a login of 0.1.0 has stored, do not end the list of the others', async ({
  world,
  operators,
}) => {
  const token = await logInToConsole(operators, operators.addOperator('Nina', 'view'))
  await world.db.rows(addLinesWithHighIds)
  const { body } = await callConsole(operators, CONSOLE_ROUTES.listLog, { token })
  const query = { cursor: String(body.next) }
  const { body: next } = await callConsole(operators, CONSOLE_ROUTES.listLog, { token, query })
  expect(next.items).toContainEqual(expect.objectContaining({ who: 'Nina', command: 'log in' }))
})

test('what the database cannot store is refused by the name of its field', async ({ operators }) => {
  const token = await logInToConsole(operators, operators.addOperator('Otto', 'settings'))
  const { listLog, endAnnouncement, announce } = CONSOLE_ROUTES
  const times = { startsAt: '2026-01-05T12:00:00.000Z', endsAt: '2026-01-06T00:00:00.000Z' }
  const answers = [
    await callConsole(operators, listLog, { token, query: { who: 'Otto\0' } }),
    await callConsole(operators, endAnnouncement, { token, body: { id: 'the first', reason: 'over' } }),
    await callConsole(operators, announce, { token, body: { text: 'Half of a smile: \uD83D', ...times } }),
  ]
  expect(answers.map(({ status, body }) => [status, body.code, body.field])).toEqual([
    [400, 'malformed', 'who'],
    [400, 'malformed', 'id'],
    [400, 'malformed', 'text'],
  ])
})

const storeHugeAct = sql({
  name: 'test-store-huge-act',
  text: `insert into operator_acts (nonce, kind, details, operator, signature, signed_form, at, expires_at)
    values (repeat('f', 32), repeat('k', 1000000), jsonb_build_object('a', repeat('d', 1000000)), 'eve',
      decode(repeat('00', 64), 'hex'), 'raw', '2026-01-05T13:00:00Z', '2026-01-06T13:00:00Z')`,
})

test('an act of any size that a login of 0.1.0 has stored does not fill the page of acts', async ({
  world,
  operators,
}) => {
  const token = await logInToConsole(operators, operators.addOperator('Vera', 'view'))
  await world.db.rows(storeHugeAct)
  const { body } = await callConsole(operators, CONSOLE_ROUTES.listActs, { token })
  expect(body.items).toContainEqual(expect.objectContaining({ operator: 'eve', details: 'null' }))
  expect(JSON.stringify(body).length).toBeLessThan(20_000)
})
