import { createHash } from 'node:crypto'
import { getBase58Decoder } from '@solana/kit'
import { expect, vi } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { openDb, rowOf, sql } from '#server/platform/db/db.ts'
import { dumpTables } from '#tests/support/dump-tables.ts'
import { rawSql } from '#tests/support/raw-sql.ts'
import { call, logIn, serveApp, signLogin } from '#tests/support/serve-app.ts'
import { testPlayer } from '#tests/support/test-player.ts'
import { test } from '#tests/support/test-world.ts'

let app: FastifyInstance
test.beforeAll(async ({ world }) => {
  app = await serveApp(world)
})

const nonceFor = async (wallet: string) => {
  const { body } = await call(app, 'POST', '/api/users/nonce', { body: { walletAddress: wallet } })
  return { nonce: String(body.nonce), message: String(body.message) }
}

test('the message has three lines: a title with product and host, the nonce, the wallet (S-83, A-28)', async () => {
  const player = testPlayer()
  const { nonce, message } = await nonceFor(player.wallet)
  expect(message.split('\n')).toEqual([
    'Sign in to Cotton Farm at farm.test',
    `Nonce: ${nonce}`,
    `Wallet: ${player.wallet}`,
  ])
  expect(nonce.length).toBeGreaterThanOrEqual(32)
})

test('a signed nonce opens a session, and a second use of it does not', async () => {
  const player = testPlayer()
  const { message } = await nonceFor(player.wallet)
  const first = await call(app, 'POST', '/api/users/verify-wallet', { body: signLogin(player, message) })
  expect(first.body).toMatchObject({ success: true, message: 'Logged in' })
  const again = await call(app, 'POST', '/api/users/verify-wallet', { body: signLogin(player, message) })
  expect([again.status, again.body.code]).toEqual([401, 'login_expired'])
})

test('fifty replays of one login at once give one token', async () => {
  const player = testPlayer()
  const { message } = await nonceFor(player.wallet)
  const body = signLogin(player, message)
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => call(app, 'POST', '/api/users/verify-wallet', { body })),
  )
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
  expect(answers.filter((answer) => answer.status === 401)).toHaveLength(49)
})

test('a nonce expires after five minutes (A-28)', async ({ world }) => {
  const player = testPlayer()
  const { message } = await nonceFor(player.wallet)
  world.clock.advance(5 * 60_000)
  const late = await call(app, 'POST', '/api/users/verify-wallet', { body: signLogin(player, message) })
  expect([late.status, late.body.code]).toEqual([401, 'login_expired'])
})

test('a nonce of an api whose clock is a minute ahead is accepted, and one from later is not', async ({
  world,
}) => {
  const players = [testPlayer(), testPlayer(), testPlayer()]
  const bodies = []
  for (const player of players) bodies.push(signLogin(player, (await nonceFor(player.wallet)).message))
  const [early, late, last] = bodies
  const status = async (body: object | undefined) =>
    (await call(app, 'POST', '/api/users/verify-wallet', { body: body! })).status
  world.clock.advance(-60_000)
  expect(await status(early)).toBe(200)
  world.clock.advance(-1)
  expect(await status(late)).toBe(401)
  world.clock.advance(60_001 + 5 * 60_000 - 1)
  expect(await status(last)).toBe(200)
})

test('a used nonce is stored for longer than any api accepts it', async ({ world }) => {
  const token = await logIn(app, testPlayer())
  const text = 'select max(expires_at) as at from nonces'
  const [stored] = await world.db.rows(rawSql<{ at: Date }>({ name: 'test-last-nonce', text }))
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(stored!.at.getTime() - world.clock.now().getTime()).toBe(10 * 60_000)
})

test('twenty nonce requests by a stranger do not prevent the login of a wallet', async () => {
  const player = testPlayer()
  const { message } = await nonceFor(player.wallet)
  const body = signLogin(player, message)
  const nonces = new Set<string>()
  for (let each = 0; each < 20; each++) nonces.add((await nonceFor(player.wallet)).nonce)
  expect(nonces.size).toBe(20)
  const { status } = await call(app, 'POST', '/api/users/verify-wallet', { body })
  expect(status).toBe(200)
})

test('a nonce of one api process works at another, once in total', async ({ world }) => {
  const other = await serveApp(world)
  const player = testPlayer()
  const { message } = await nonceFor(player.wallet)
  const body = signLogin(player, message)
  const answers = await Promise.all(
    [app, other, app, other].map((each) => call(each, 'POST', '/api/users/verify-wallet', { body })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401])
})

test('a text that is not 32 bytes in base58 gets no nonce', async () => {
  const { wallet } = testPlayer()
  // At most 31 bytes, and at least 33, whatever the wallet is; a character that base58 lacks; 44 bytes of zero.
  const others = [wallet.slice(3), `${wallet}111`, wallet.replace(/.$/, '0'), '1'.repeat(44), 'nobody']
  for (const other of others) {
    const answer = await call(app, 'POST', '/api/users/nonce', { body: { walletAddress: other } })
    expect([other, answer.status, answer.body.code]).toEqual([other, 400, 'malformed'])
    expect(answer.body.message).toContain('walletAddress')
  }
})

test('a nonce that this game did not issue is refused, however close to one it is', async () => {
  const player = testPlayer()
  const { nonce, message } = await nonceFor(player.wallet)
  const others = [
    ...[0, 20, 40, 50, 75].map(
      (at) => nonce.slice(0, at) + (nonce[at] === '0' ? '1' : '0') + nonce.slice(at + 1),
    ),
    nonce.toUpperCase(),
    nonce.slice(0, 32),
    `${nonce}00`,
    '00'.repeat(38),
    '',
  ]
  for (const other of others) {
    const body = signLogin(player, message.replace(nonce, other))
    const { status } = await call(app, 'POST', '/api/users/verify-wallet', { body })
    expect([other, status]).toEqual([other, nonce === other ? 200 : 401])
  }
})

test('a message that differs in any byte is refused, however it is signed (A-28)', async () => {
  const player = testPlayer()
  const other = testPlayer()
  const variants = [
    (message: string) => `${message}\n`,
    (message: string) => message.replaceAll('\n', '\r\n'),
    (message: string) => `${message} `,
    (message: string) => message.toLowerCase(),
    (message: string) => message.replace('farm.test', 'evil.test'),
    (message: string) => message.replace('Cotton', 'Cоtton'),
    (message: string) => message.replace(player.wallet, other.wallet),
    (message: string) => `Nonce: 00\n${message}`,
    () => '',
  ]
  for (const vary of variants) {
    const { message } = await nonceFor(player.wallet)
    const { status } = await call(app, 'POST', '/api/users/verify-wallet', {
      body: signLogin(player, vary(message)),
    })
    expect(status).toBe(401)
  }
})

test('a nonce of one wallet does not log in another (A-28)', async () => {
  const [player, other] = [testPlayer(), testPlayer()]
  const { message } = await nonceFor(player.wallet)
  await nonceFor(other.wallet)
  const foreignWallet = { ...signLogin(other, message), walletAddress: other.wallet }
  const foreignKey = { ...signLogin(other, message), walletAddress: player.wallet }
  for (const body of [foreignWallet, foreignKey]) {
    expect((await call(app, 'POST', '/api/users/verify-wallet', { body })).status).toBe(401)
  }
})

test('signatures that are not 64 canonical bytes are refused and never cause a server error', async () => {
  const player = testPlayer()
  const { message } = await nonceFor(player.wallet)
  const good = player.sign(message).toString('base64')
  const hostile = [
    '',
    ' ',
    `${good} `,
    good.replaceAll('=', ''),
    `${good.slice(0, -3)}B==`,
    good.slice(4),
    7,
    null,
    [good],
  ]
  for (const signature of hostile) {
    const { status } = await call(app, 'POST', '/api/users/verify-wallet', {
      body: { walletAddress: player.wallet, message, signature },
    })
    expect([400, 401]).toContain(status)
  }
})

// A point of small order has a "signature" that is valid for every message: R = identity or the point itself, S = 0.
const SMALL_ORDER = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  '0100000000000000000000000000000000000000000000000000000000000080',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]

test('keys of small order cannot log in', async () => {
  for (const point of SMALL_ORDER) {
    const wallet = getBase58Decoder().decode(Buffer.from(point, 'hex'))
    for (const r of SMALL_ORDER) {
      const { message } = await nonceFor(wallet)
      const signature = Buffer.concat([Buffer.from(r, 'hex'), Buffer.alloc(32)]).toString('base64')
      const { status } = await call(app, 'POST', '/api/users/verify-wallet', {
        body: { walletAddress: wallet, message, signature },
      })
      expect(status).toBe(401)
    }
  }
})

test('a signature whose scalar was moved by the group order is refused', async () => {
  const player = testPlayer()
  const { message } = await nonceFor(player.wallet)
  const order = 2n ** 252n + 27742317777372353535851937790883648493n
  const signature = player.sign(message)
  const scalar = BigInt(`0x${Buffer.from(signature.subarray(32).toReversed()).toString('hex')}`) + order
  const moved = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').toReversed()
  const { status } = await call(app, 'POST', '/api/users/verify-wallet', {
    body: {
      walletAddress: player.wallet,
      message,
      signature: Buffer.concat([signature.subarray(0, 32), moved]).toString('base64'),
    },
  })
  expect(status).toBe(401)
})

test('no table stores a token, and what is stored opens no session', async ({ world }) => {
  const player = await world.player({ deposited: 50_000 })
  const token = await logIn(app, player)
  const body = { workerType: 'kid', walletAddress: player.wallet }
  const headers = { 'idempotency-key': 'stored-with-its-answer' }
  expect((await call(app, 'POST', '/api/workers/purchase', { token, headers, body })).status).toBe(200)
  const hash = createHash('sha256').update(token).digest()
  const dump = await dumpTables(world.db)
  expect(dump).toContain(hash.toString('hex'))
  expect(dump).toContain('stored-with-its-answer')
  for (const encoding of ['utf8', 'hex', 'base64'] as const)
    expect(dump).not.toContain(Buffer.from(token).toString(encoding))
  expect(dump).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
  for (const stolen of [hash.toString('hex'), hash.toString('base64url')])
    expect((await call(app, 'GET', '/api/users/history', { token: stolen })).status).toBe(401)
})

test('logging out ends the session at once here, and within a second on every other api (A-30)', async ({
  world,
}) => {
  const other = await serveApp(world)
  const token = await logIn(app, testPlayer())
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  expect((await call(other, 'GET', '/api/users/history', { token })).status).toBe(200)
  expect((await call(app, 'POST', '/api/users/logout', { token })).status).toBe(200)
  expect((await call(app, 'GET', '/api/users/history', { token })).status).toBe(401)
  now.mockReturnValue(performance.now() + 1_000)
  expect((await call(other, 'GET', '/api/users/history', { token })).status).toBe(401)
})

test('a session expires after an idle day and after a week in any case (A-30)', async ({ world }) => {
  const token = await logIn(app, testPlayer())
  const status = async () =>
    (await call(await serveApp(world), 'GET', '/api/users/history', { token })).status
  for (let day = 0; day < 7; day++) {
    world.clock.advance(23 * 3_600_000)
    expect(await status()).toBe(200)
  }
  world.clock.advance(7 * 3_600_000 - 1)
  expect(await status()).toBe(200)
  world.clock.advance(1)
  expect(await status()).toBe(401)
  const idle = await logIn(app, testPlayer())
  world.clock.advance(24 * 3_600_000)
  expect((await call(await serveApp(world), 'GET', '/api/users/history', { token: idle })).status).toBe(401)
})

test('an expired session that was refused stays ended when the clock is set back', async ({ world }) => {
  const [idle, other] = [await logIn(app, testPlayer()), await logIn(app, testPlayer())]
  const status = async (token: string) =>
    (await call(await serveApp(world), 'GET', '/api/users/history', { token })).status
  world.clock.advance(23 * 3_600_000)
  expect(await status(other)).toBe(200)
  world.clock.advance(3_600_000)
  expect(await status(idle)).toBe(401)
  world.clock.advance(-3_600_000)
  expect(await status(idle)).toBe(401)
  expect(await status(other)).toBe(200)
  world.clock.advance(3_600_000)
})

test('a session reads when the player was last seen in another session, ended or not, never in its own', async ({
  world,
}) => {
  const player = testPlayer()
  const phone = await logIn(app, player)
  const seen = (token: string) => call(app, 'GET', '/api/users/last-seen', { token })
  expect((await seen(phone)).body).toEqual({ success: true, elsewhereAt: null })
  const phoneSeenAt = world.clock.now().toISOString()
  await logIn(app, testPlayer())
  await call(app, 'POST', '/api/users/logout', { token: phone })
  world.clock.advance(3 * 3_600_000)
  const laptop = await logIn(app, player)
  expect((await seen(laptop)).body).toEqual({ success: true, elsewhereAt: phoneSeenAt })
  expect((await call(app, 'GET', '/api/users/last-seen', {})).status).toBe(401)
})

test('with private balances, only the own player reads a wallet’s balance (A-20)', async ({ world }) => {
  const discreet = await serveApp(world, { balances: 'private' })
  const [own, other] = [testPlayer(), testPlayer()]
  const token = await logIn(discreet, own)
  const ask = (app: FastifyInstance, address: string, token?: string) =>
    call(app, 'GET', `/api/users/wallet/${address}`, token === undefined ? {} : { token })
  expect((await ask(discreet, own.wallet, token)).body).toEqual({
    walletAddress: own.wallet,
    creditBalance: 0,
    frozen: null,
  })
  for (const [address, from] of [[own.wallet], [other.wallet, token]] as const) {
    const answer = await ask(discreet, address, from)
    expect([answer.status, answer.body.code]).toEqual([403, 'wallet_of_another'])
  }
  expect((await ask(app, other.wallet)).status).toBe(200)
})

test('two headers with different tokens are refused; one token may come in either header', async () => {
  const [a, b] = [await logIn(app, testPlayer()), await logIn(app, testPlayer())]
  const ask = (headers: Record<string, string>) => call(app, 'GET', '/api/users/history', { headers })
  expect((await ask({ authorization: `Bearer ${a}` })).status).toBe(200)
  expect((await ask({ 'x-auth-token': a, authorization: `Bearer ${a}` })).status).toBe(200)
  expect((await ask({ 'x-auth-token': a, authorization: `Bearer ${b}` })).body.code).toBe('tokens_disagree')
  expect((await ask({ authorization: `bearer ${a}` })).status).toBe(200)
  for (const other of [`Basic ${a}`, `X-Bearer ${a}`, `Bearer ${a} ${a}`, `Bearer  ${a}`, 'Bearer ', a])
    expect((await ask({ authorization: other })).status, other).toBe(401)
  const visit = (authorization: string) =>
    call(app, 'GET', `/api/users/wallet/${testPlayer().wallet}`, { headers: { authorization } })
  // A visitor behind a proxy with a password of its own is no player with a wrong token.
  expect((await visit('Basic cHJveHk6c2VjcmV0')).status).toBe(200)
  expect((await visit(`Bearer ${'x'.repeat(43)}`)).status).toBe(401)
  expect((await ask({})).body).toEqual({
    success: false,
    code: 'not_authenticated',
    message: 'Not authenticated',
  })
})

test('a page of another site cannot request a nonce or log in', async () => {
  const body = { walletAddress: testPlayer().wallet }
  for (const origin of ['http://evil.test', 'http://farm.test.evil.test', 'null', 'https://farm.test:444']) {
    const answer = await call(app, 'POST', '/api/users/nonce', {
      body,
      headers: { origin, host: 'farm.test' },
    })
    expect([answer.status, answer.body.code]).toEqual([403, 'foreign_origin'])
  }
  const own = await call(app, 'POST', '/api/users/nonce', { body, headers: { origin: 'http://farm.test' } })
  expect(own.status).toBe(200)
})

const countNonces = sql({
  name: 'test-count-nonces',
  row: rowOf<{ count: number }>(),
  text: 'select count(*)::int as count from nonces',
})

test('nonce requests store nothing; each login stores the nonce that it used', async ({ world }) => {
  const count = async () => (await world.db.rows(countNonces))[0]!.count
  const before = await count()
  for (let each = 0; each < 20; each++) await nonceFor(testPlayer().wallet)
  expect(await count()).toBe(before)
  for (let each = 0; each < 5; each++) await logIn(app, testPlayer())
  expect(await count()).toBe(before + 5)
})

test('only the api login can read the nonce key', async ({ world }) => {
  for (const role of ['watcher', 'signer', 'console', 'readonly'] as const) {
    const db = openDb(world.urlFor(role), { max: 1, applicationName: 'test' })
    await expect(db.rows(sql({ name: 'test-read-key', text: 'select key from login_key' }))).rejects.toThrow(
      /permission denied/,
    )
    await db.end()
  }
})
