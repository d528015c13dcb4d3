import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { expect } from 'vitest'
import { ACT_RIGHTS, type Act } from '#contract/console/acts.ts'
import { hasRight, RIGHTS } from '#contract/console/rights.ts'
import type { ConsoleRoute } from '#contract/console/route.ts'
import { CONSOLE_ROUTES, type ConsoleRouteName } from '#contract/console/routes.ts'
import { sql } from '#server/platform/db/db.ts'
import { ANY_SIGNATURE } from '#tests/support/any-signature.ts'
import { everyAct } from '#tests/support/every-act.ts'
import {
  callConsole,
  logInToConsole,
  openConsole,
  signConsoleLogin,
} from '#tests/support/operators-console.ts'
import { call, logIn, serveApp, signLogin } from '#tests/support/serve-app.ts'
import { testPlayer } from '#tests/support/test-player.ts'
import { readUpgradeStatus, socketUrl } from '#tests/support/test-socket.ts'
import { test as base } from '#tests/support/test-world.ts'

const WALLET = testPlayer().wallet
const OTHER = testPlayer().wallet
const WITHDRAWAL = randomUUID()
const REASON = 'seen on the console'

const seed = sql({
  name: 'test-seed-console',
  params: { id: 'uuid', wallet: 'text', now: 'timestamptz', chain: 'jsonb' },
  text: ({ id, wallet, now, chain }) =>
    `with player as (
       insert into users (wallet, created_at) values (${wallet}, ${now})
     ), place as (
       insert into settings (name, value) values ('chain', ${chain})
     )
     insert into withdrawals (id, wallet, deposited, earned, hold_id, day, requested_at, nonce, wallet_signature)
     select ${id}, ${wallet}, 1000000, 0, gen_random_uuid(), '2026-01-05', ${now}, ${ANY_SIGNATURE} from (values (1)) one (n)`,
})

const test = base.extend('operators', { scope: 'file' }, async ({ world }, { onCleanup }) => {
  const console = await openConsole(world)
  onCleanup(() => console.close())
  const chain = { genesisHash: 'a', mint: 'b', treasury: testPlayer().wallet, cluster: 'local' }
  await world.db.rows(seed, { id: WITHDRAWAL, wallet: WALLET, now: world.clock.now(), chain })
  return console
})

type Call = { query?: Record<string, string>; body?: unknown }

const ACTS = Object.values(everyAct({ wallet: WALLET, withdrawalId: WITHDRAWAL }))

const notSigned = { message: 'x', signature: `${'A'.repeat(86)}==` }

/** Calls that each caller makes. A route that several acts share is called with each of them. */
const CALLS: Record<ConsoleRouteName, Call[]> = {
  readGame: [{}],
  requestLogin: [{ body: { wallet: WALLET } }],
  logIn: [{ body: { wallet: WALLET, ...notSigned } }],
  logOut: [{ body: {} }],
  readSession: [{}],
  readToday: [{}],
  readActivity: [{ query: { span: 'day' } }, { query: { span: 'month' } }],
  readLive: [{}],
  listWithdrawals: [
    { query: { state: 'open' } },
    { query: { state: 'review' } },
    { query: { state: 'finalized' } },
    { query: { state: 'open', wallet: WALLET } },
    { query: { state: 'refunded', wallet: WALLET } },
  ],
  readWithdrawal: [{ query: { id: WITHDRAWAL } }],
  pause: [{ body: { reason: REASON } }],
  listDeposits: ['pending', 'credited', 'uncredited', 'unassigned'].flatMap((view): Call[] => [
    { query: { view } },
    { query: { view, wallet: WALLET } },
  ]),
  listPlayers: [{}, { query: { search: WALLET.slice(0, 4) } }],
  readPlayer: [{ query: { wallet: WALLET } }],
  endPlayerSessions: [{ body: { wallet: WALLET, reason: REASON } }],
  freezePlayer: [{ body: { wallet: OTHER, reason: REASON } }],
  readWorld: [{}],
  listAnnouncements: [{}],
  announce: [
    { body: { text: 'hello', startsAt: '2026-01-05T12:00:00.000Z', endsAt: '2026-01-06T12:00:00.000Z' } },
  ],
  endAnnouncement: [{ body: { id: randomUUID(), reason: REASON } }],
  readBooks: [{}],
  readBooksHistory: [{ query: { span: 'day' } }],
  listJournals: [
    {},
    { query: { kind: 'claim' } },
    { query: { kind: 'resale', wallet: WALLET } },
    { query: { kind: 'hire', from: '2026-01-01', to: '2026-01-31', least: '5', most: '100' } },
    { query: { wallet: WALLET } },
  ],
  exportJournals: [{ query: { wallet: WALLET } }],
  listActs: [{}, { query: { state: 'waiting' } }],
  readAct: [{ query: { nonce: 'a'.repeat(32) } }],
  prepareAct: ACTS.map((act) => ({ body: { act } })),
  submitAct: ACTS.map((act) => ({ body: { act, ...notSigned } })),
  listLog: [{}, { query: { who: 'view' } }],
  readHealth: [{}],
}

/** Answers of calls that may pass and cannot have their effect with these arguments. */
const NO_EFFECT = new Set([
  'already_done',
  'act_not_found',
  'announcement_not_found',
  'act_refused',
  'signature_failed',
  'login_expired',
])

const CALLERS = ['nobody', 'player', ...RIGHTS] as const

/** What the declaration says about a call: a refusal of the caller, or null. */
function expectedRefusal(caller: (typeof CALLERS)[number], { right }: ConsoleRoute, { body }: Call) {
  if (right === 'nobody') return null
  if (caller === 'nobody' || caller === 'player') return 'not_logged_in'
  const needed = right === 'by_act' ? ACT_RIGHTS[(body as { act: Act }).act.kind] : right
  return hasRight([caller], needed) ? null : 'right_missing'
}

test('each route is open to the callers that its declaration names, and to no others', async ({
  world,
  operators,
}) => {
  const game = await serveApp(world)
  const playersToken = await logIn(game, testPlayer())
  await game.close()
  const seen = new Map<string, number>()
  for (const caller of CALLERS) {
    const operator = RIGHTS.find((right) => right === caller)
    const named = operator && operators.addOperator(caller, operator)
    let token = named
      ? await logInToConsole(operators, named)
      : caller === 'player'
        ? playersToken
        : undefined
    for (const [name, calls] of Object.entries(CALLS)) {
      const route: ConsoleRoute = CONSOLE_ROUTES[name as ConsoleRouteName]
      for (const call of calls) {
        const answer = await callConsole(operators, route, { token, ...call })
        const which = `${caller} ${name} ${JSON.stringify(call)} ${JSON.stringify(answer.body).slice(0, 300)}`
        expect(answer.headers['cache-control'], which).toBe('no-store')
        const refusal = expectedRefusal(caller, route, call)
        seen.set(refusal ?? 'open', (seen.get(refusal ?? 'open') ?? 0) + 1)
        if (refusal !== null) expect(answer.body.code, which).toBe(refusal)
        else if (answer.status !== 200) expect([...NO_EFFECT], which).toContain(answer.body.code)
        else if (name === 'logOut' && named) token = await logInToConsole(operators, named)
        else if (!route.csv) expect(route.reply.safeParse(answer.body).error?.issues, which).toBeUndefined()
      }
    }
  }
  // Neither side of the table is empty.
  for (const count of ['open', 'not_logged_in', 'right_missing']) expect(seen.get(count)).toBeGreaterThan(20)
})

const HALF_HOUR_MS = 30 * 60_000

test('a session that has ended, and one of a removed operator, is refused every call that needs one', async ({
  world,
  operators,
}) => {
  const olga = operators.addOperator('Olga', ...RIGHTS)
  const logOut = (token: string) => callConsole(operators, CONSOLE_ROUTES.logOut, { token, body: {} })
  const use = (token: string) => callConsole(operators, CONSOLE_ROUTES.readSession, { token })
  const old = await logInToConsole(operators, olga)
  let unused = ''
  for (let each = 0; each < 16; each++) {
    expect((await use(old)).status).toBe(200)
    if (each === 15) unused = await logInToConsole(operators, olga)
    world.clock.advance(HALF_HOUR_MS - 1)
  }
  // One is eight hours old and was used a moment ago; the other is half an hour old and was never used.
  expect((await use(old)).status).toBe(200)
  world.clock.advance(16)
  const loggedOut = await logInToConsole(operators, olga)
  await logOut(loggedOut)
  // The first call of such a session ends it.
  const logInAndRemove = async () => {
    const removed = operators.addOperator('Rita', ...RIGHTS)
    const ofRemoved = await logInToConsole(operators, removed)
    expect((await use(ofRemoved)).status).toBe(200)
    operators.removeOperator(removed)
    return ofRemoved
  }
  const tokens = { old, loggedOut, unused, ofRemoved: null, madeUp: 'A'.repeat(43) }
  for (const [which, known] of Object.entries(tokens)) {
    for (const [name, [first]] of Object.entries(CALLS)) {
      const token = known ?? (await logInAndRemove())
      const route: ConsoleRoute = CONSOLE_ROUTES[name as ConsoleRouteName]
      const { body } = await callConsole(operators, route, { token, ...first })
      const refusal = which === 'ofRemoved' ? 'not_an_operator' : 'not_logged_in'
      const isRefused = body.code === refusal
      expect([which, name, isRefused, body.code]).toEqual([which, name, route.right !== 'nobody', body.code])
    }
  }
})

test('a call without the right is logged with the operator’s name', async ({ world, onTestFinished }) => {
  const logged: string[] = []
  const log = pino({}, { write: (line: string) => void logged.push(line) })
  const console = await openConsole(world, { log })
  onTestFinished(() => console.close())
  const token = await logInToConsole(console, console.addOperator('Vera', 'view'))
  logged.length = 0
  await callConsole(console, CONSOLE_ROUTES.pause, { token, body: { reason: REASON } })
  expect(logged.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({
      operator: 'Vera',
      right: 'decide',
      msg: 'an operator lacks the right for a call',
    }),
  ])
})

test('a read of an operator with the right is answered, not refused', async ({ operators }) => {
  const token = await logInToConsole(operators, operators.addOperator('Vera', 'view'))
  const failed: string[] = []
  for (const [name, calls] of Object.entries(CALLS)) {
    const route: ConsoleRoute = CONSOLE_ROUTES[name as ConsoleRouteName]
    if (route.method !== 'GET' || name === 'readAct') continue
    for (const call of calls) {
      const { status, body } = await callConsole(operators, route, { token, ...call })
      if (status !== 200) failed.push(`${name}: ${status} ${JSON.stringify(body)}`)
    }
  }
  expect(failed).toEqual([])
})

test('every path but those of the contract is unknown', async ({ operators }) => {
  for (const path of ['/api/users/nonce', '/api/console', '/api/console/nothing', '/api/status', '/readyz']) {
    const { status } = await callConsole(operators, { method: 'GET', path })
    expect([path, status]).toEqual([path, 404])
  }
})

test('the console has no sockets', async ({ operators }) => {
  await operators.app.listen({ host: '127.0.0.1', port: 0 })
  const token = await logInToConsole(operators, operators.addOperator('Vera', 'view'))
  for (const path of ['/', '/ws', '/api/console/live']) {
    const options = { headers: { authorization: `Bearer ${token}` } }
    expect([200, 404, 503]).toContain(await readUpgradeStatus(socketUrl(operators.app.server, path), options))
  }
})

test('a signed login of the game opens no console, and one of the console no game', async ({
  world,
  operators,
}) => {
  const game = await serveApp(world)
  const both = operators.addOperator('Olga', 'view')
  const nonce = await call(game, 'POST', '/api/users/nonce', { body: { walletAddress: both.wallet } })
  const { walletAddress: wallet, ...signed } = signLogin(both, String(nonce.body.message))
  const { body } = await callConsole(operators, CONSOLE_ROUTES.logIn, { body: { wallet, ...signed } })
  expect(['login_expired', 'signature_failed']).toContain(body.code)
  const ofConsole = await signConsoleLogin(operators, both)
  const sent = { ...ofConsole, walletAddress: both.wallet, wallet: undefined }
  expect((await call(game, 'POST', '/api/users/verify-wallet', { body: sent })).body.code).toBe(
    'signature_failed',
  )
  // Both work where they belong.
  expect(
    (await call(game, 'POST', '/api/users/verify-wallet', { body: { walletAddress: wallet, ...signed } }))
      .status,
  ).toBe(200)
  expect((await callConsole(operators, CONSOLE_ROUTES.logIn, { body: ofConsole })).status).toBe(200)
  await game.close()
})
