import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { Right } from '#contract/console/rights.ts'
import { NO_OPERATORS, type Operators } from '#server/operators/read-operators.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { dumpTables } from '#tests/support/dump-tables.ts'
import {
  callConsole,
  CONSOLE_URL,
  logInToConsole,
  openConsole,
  signConsoleLogin,
} from '#tests/support/operators-console.ts'
import { testPlayer } from '#tests/support/test-player.ts'
import { test as base } from '#tests/support/test-world.ts'

const test = base.extend('operators', async ({ world }, { onCleanup }) => {
  const console = await openConsole(world)
  onCleanup(() => console.close())
  return console
})

const LOGIN = { method: 'POST', path: '/api/console/login' } as const
const SESSION = { method: 'GET', path: '/api/console/session' } as const
const LIVE = { method: 'GET', path: '/api/console/live' } as const

const readNewestLog = sql({
  name: 'test-console-log',
  row: rowOf<{ who: string; command: string; outcome: string }>(),
  text: 'select who, command, outcome from operator_log order by id desc limit 1',
})

test('an operator logs in with a wallet, and the log says so', async ({ world, operators }) => {
  const ana = operators.addOperator('Ana', 'decide')
  const body = await signConsoleLogin(operators, ana)
  const answer = await callConsole(operators, LOGIN, { body })
  expect(answer).toMatchObject({
    status: 200,
    body: { operator: { wallet: ana.wallet, name: 'Ana', rights: ['view', 'decide'] } },
  })
  expect(await world.db.rows(readNewestLog)).toEqual([
    { who: 'Ana', command: 'log in', outcome: 'Logged in.' },
  ])
  const session = await callConsole(operators, SESSION, { token: String(answer.body.token) })
  expect(session.body).toMatchObject({
    operator: { name: 'Ana' },
    endsAt: '2026-01-05T20:00:00.000Z',
    idleAt: '2026-01-05T12:30:00.000Z',
  })
})

test('a wallet that is no operator’s cannot log in', async ({ operators }) => {
  const body = await signConsoleLogin(operators, testPlayer())
  expect(await callConsole(operators, LOGIN, { body })).toMatchObject({
    status: 403,
    body: { code: 'not_an_operator' },
  })
})

test('a login message is good for one login, five minutes and one wallet', async ({ world, operators }) => {
  const ana = operators.addOperator('Ana', 'view')
  const body = await signConsoleLogin(operators, ana)
  expect((await callConsole(operators, LOGIN, { body })).status).toBe(200)
  expect((await callConsole(operators, LOGIN, { body })).body.code).toBe('login_expired')
  const late = await signConsoleLogin(operators, ana)
  world.clock.advance(5 * 60_000)
  expect((await callConsole(operators, LOGIN, { body: late })).body.code).toBe('login_expired')
  const bert = operators.addOperator('Bert', 'view')
  const ofAna = await signConsoleLogin(operators, ana)
  const stolen = { ...ofAna, wallet: bert.wallet }
  expect((await callConsole(operators, LOGIN, { body: stolen })).body.code).toBe('login_expired')
  const forged = { ...ofAna, signature: bert.sign(ofAna.message).toString('base64') }
  expect((await callConsole(operators, LOGIN, { body: forged })).body.code).toBe('signature_failed')
  const players = ofAna.message.replace(/^.*/, 'Sign in to Cotton Farm at localhost:4000')
  const asPlayer = { ...ofAna, message: players, signature: ana.sign(players).toString('base64') }
  expect((await callConsole(operators, LOGIN, { body: asPlayer })).body.code).toBe('signature_failed')
})

test('an operator who is removed from the file has no access with the next call', async ({ operators }) => {
  const ana = operators.addOperator('Ana', 'view')
  const token = await logInToConsole(operators, ana)
  expect((await callConsole(operators, SESSION, { token })).status).toBe(200)
  operators.removeOperator(ana)
  expect((await callConsole(operators, SESSION, { token })).body.code).toBe('not_an_operator')
})

test('a session that was refused to a removed operator stays ended when the file names the wallet again', async ({
  world,
  onTestFinished,
}) => {
  const ana = testPlayer()
  const operator = { wallet: ana.wallet, name: 'Ana', rights: new Set<Right>(['view']) }
  const named = { ...NO_OPERATORS, problem: null, byWallet: new Map([[ana.wallet, operator]]) }
  let file: Operators = named
  const console = await openConsole(world, { operators: () => file })
  onTestFinished(() => console.close())
  const token = await logInToConsole(console, ana)
  const codeWith = async (operators: Operators) => {
    file = operators
    return (await callConsole(console, SESSION, { token })).body.code ?? 'ok'
  }
  expect(await codeWith(named)).toBe('ok')
  // A file that is broken names nobody until it is repaired.
  expect(await codeWith(NO_OPERATORS)).toBe('not_an_operator')
  expect(await codeWith(named)).toBe('ok')
  expect(await codeWith({ ...named, byWallet: new Map() })).toBe('not_an_operator')
  expect(await codeWith(named)).toBe('not_logged_in')
})

test('a session ends after 30 idle minutes, and polling does not renew it', async ({ world, operators }) => {
  const token = await logInToConsole(operators, operators.addOperator('Ana', 'view'))
  for (let minutes = 0; minutes < 29; minutes++) {
    world.clock.advance(60_000)
    expect((await callConsole(operators, LIVE, { token })).status).toBe(200)
  }
  world.clock.advance(60_000)
  expect((await callConsole(operators, LIVE, { token })).body.code).toBe('not_logged_in')
})

test('a session that is used ends after eight hours', async ({ world, operators }) => {
  const token = await logInToConsole(operators, operators.addOperator('Ana', 'view'))
  for (let at = 20; at < 480; at += 20) {
    world.clock.advance(20 * 60_000)
    expect([at, (await callConsole(operators, SESSION, { token })).status]).toEqual([at, 200])
  }
  world.clock.advance(20 * 60_000)
  expect((await callConsole(operators, SESSION, { token })).body.code).toBe('not_logged_in')
})

test('a session that was refused as expired stays ended when the clock is set back', async ({
  world,
  operators,
}) => {
  const token = await logInToConsole(operators, operators.addOperator('Ana', 'view'))
  world.clock.advance(30 * 60_000)
  expect((await callConsole(operators, SESSION, { token })).body.code).toBe('not_logged_in')
  world.clock.advance(-60_000)
  expect((await callConsole(operators, SESSION, { token })).body.code).toBe('not_logged_in')
})

test('a session that was opened while the clock was ahead by half an hour ends when it is set back', async ({
  world,
  operators,
}) => {
  world.clock.advance(30 * 60_000)
  const token = await logInToConsole(operators, operators.addOperator('Ana', 'view'))
  world.clock.advance(-30 * 60_000)
  expect((await callConsole(operators, SESSION, { token })).body.code).toBe('not_logged_in')
})

test('a session that was logged out is over', async ({ operators }) => {
  const token = await logInToConsole(operators, operators.addOperator('Ana', 'view'))
  await callConsole(operators, { method: 'POST', path: '/api/console/logout' }, { token, body: {} })
  expect((await callConsole(operators, SESSION, { token })).body.code).toBe('not_logged_in')
})

test('no table stores a token', async ({ world, operators }) => {
  const token = await logInToConsole(operators, operators.addOperator('Ana', 'view'))
  const dump = await dumpTables(world.db)
  expect(dump).toContain(createHash('sha256').update(token).digest('hex'))
  expect(dump).not.toContain(token)
  expect(dump).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
})

test('a token counts in its header only, so that no other site can send it', async ({ operators }) => {
  const token = await logInToConsole(operators, operators.addOperator('Ana', 'view'))
  const elsewhere: Record<string, string>[] = [
    { cookie: `token=${token}` },
    { 'x-auth-token': token },
    { authorization: token },
    { authorization: `Basic ${token}` },
  ]
  for (const headers of elsewhere)
    expect((await callConsole(operators, SESSION, { headers })).body.code).toBe('not_logged_in')
  const byUrl = await callConsole(operators, SESSION, { query: { token } })
  expect(byUrl.body.code).toBe('not_logged_in')
})

test('pages of other origins and requests to other hosts are refused', async ({ operators }) => {
  const token = await logInToConsole(operators, operators.addOperator('Ana', 'view'))
  const ask = async (headers: Record<string, string>) =>
    (await callConsole(operators, SESSION, { token, headers })).status
  expect(await ask({ origin: CONSOLE_URL })).toBe(200)
  expect(await ask({ origin: 'http://farm.test' })).toBe(403)
  expect(await ask({ origin: 'null' })).toBe(403)
  for (const host of ['localhost:9000', '127.0.0.1:4000', '[::1]:4000'])
    expect([host, await ask({ host })]).toEqual([host, 200])
  for (const host of [
    'evil.example',
    'evil.example:4000',
    'localhost.evil.example',
    '10.0.0.1:4000',
    'localhost@evil.example',
  ])
    expect([host, await ask({ host })]).toEqual([host, 421])
})

test('every answer has a strict policy and sets no cookie', async ({ operators }) => {
  for (const path of ['/', '/withdrawals', '/api/console/session']) {
    const { headers } = await callConsole(operators, { method: 'GET', path })
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(headers['set-cookie']).toBeUndefined()
    expect(headers['access-control-allow-origin']).toBeUndefined()
  }
})

test('without built pages the console says what to do', async ({ operators }) => {
  const { status, body } = await callConsole(operators, { method: 'GET', path: '/' })
  expect([status, body.text]).toEqual([503, expect.stringContaining('npm run build')])
})

test('logins are limited', async ({ world, onTestFinished }) => {
  const limited = await openConsole(world, { limited: true })
  onTestFinished(() => limited.close())
  const codes: unknown[] = []
  for (let call = 0; call < 25; call++) {
    const { body } = await callConsole(
      limited,
      { method: 'POST', path: '/api/console/nonce' },
      { body: { wallet: testPlayer().wallet } },
    )
    codes.push(body.code ?? 'ok')
  }
  expect(codes.filter((code) => code === 'ok')).toHaveLength(20)
  expect(codes.at(-1)).toBe('too_many_requests')
})
