import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import type { Right } from '#contract/console/rights.ts'
import { createConsole } from '#server/console/console-app.ts'
import { NO_OPERATORS, type Operators } from '#server/operators/read-operators.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/log.ts'
import { type Db, openDb } from '#server/platform/db/db.ts'
import { testPlayer, type TestPlayer } from './test-player.ts'
import type { TestWorld } from './test-world.ts'

export const CONSOLE_URL = 'http://localhost:4000'

/** An operator with a real key. */
export type TestOperator = TestPlayer & { name: string }

/** A console in this process, with the rights of its own login. */
export type TestConsole = {
  app: FastifyInstance
  db: Db
  /** Names an operator in the operators' file. */
  addOperator(name: string, ...rights: Right[]): TestOperator
  /** Removes an operator from the file. */
  removeOperator(operator: TestOperator): void
  close(): Promise<void>
}

/** Opens a console on the database of a test world. `wrap` can observe its statements. */
export async function openConsole(
  world: Pick<TestWorld, 'urlFor'> & { clock: Clock },
  {
    limited = false,
    wrap = (db) => db,
    pages = '/nowhere',
    operators,
    publicUrl = 'http://farm.test',
    log = pino({ level: 'silent' }),
  }: ConsoleOptions = {},
): Promise<TestConsole> {
  const db = openDb(world.urlFor('console'), { max: 5, applicationName: 'test-console' })
  const byWallet = new Map<string, { wallet: string; name: string; rights: ReadonlySet<Right> }>()
  const added = (): Operators => ({ ...NO_OPERATORS, byWallet, problem: null })
  const config = {
    publicUrl,
    consoleUrl: CONSOLE_URL,
    consoleHost: '127.0.0.1',
    marketMode: 'auto',
    rateLimits: limited,
    trustProxy: false,
  } as const
  const app = await createConsole(
    { db: wrap(db), clock: world.clock, log, operators: operators ?? added, config, version: '0.0.0' },
    pages,
  )
  return {
    app,
    db,
    addOperator(name, ...rights) {
      const player = testPlayer()
      byWallet.set(player.wallet, { wallet: player.wallet, name, rights: new Set(rights) })
      return { ...player, name }
    },
    removeOperator: ({ wallet }) => void byWallet.delete(wallet),
    async close() {
      await app.close()
      await db.end()
    },
  }
}

type ConsoleOptions = {
  limited?: boolean
  wrap?: (db: Db) => Db
  pages?: string
  /** Read from a file, in place of those that the test adds. */
  operators?: () => Operators
  publicUrl?: string
  log?: Log
}

export type ConsoleAnswer = {
  status: number
  body: Record<string, unknown>
  headers: Record<string, unknown>
}

type CallOptions = {
  token?: string | undefined
  query?: Record<string, string> | undefined
  body?: unknown
  headers?: Record<string, string>
}

/** Calls the console like its page does. */
export async function callConsole(
  { app }: Pick<TestConsole, 'app'>,
  { method, path }: { method: 'GET' | 'POST'; path: string },
  { token, query, body, headers }: CallOptions = {},
): Promise<ConsoleAnswer> {
  const answer = await app.inject({
    method,
    url: path,
    ...(query && { query }),
    headers: {
      host: 'localhost:4000',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { payload: body as object }),
  })
  const isJson = String(answer.headers['content-type']).includes('json')
  return {
    status: answer.statusCode,
    body: isJson ? answer.json() : { text: answer.body },
    headers: answer.headers,
  }
}

/** What the wallet of an operator sends to log in. */
export async function signConsoleLogin(console: Pick<TestConsole, 'app'>, operator: TestPlayer) {
  const { wallet } = operator
  const nonce = await callConsole(
    console,
    { method: 'POST', path: '/api/console/nonce' },
    { body: { wallet } },
  )
  const message = String(nonce.body.message)
  return { wallet, message, signature: operator.sign(message).toString('base64') }
}

/** Logs an operator in. Returns the token. */
export async function logInToConsole(
  console: Pick<TestConsole, 'app'>,
  operator: TestPlayer,
): Promise<string> {
  const body = await signConsoleLogin(console, operator)
  const answer = await callConsole(console, { method: 'POST', path: '/api/console/login' }, { body })
  return String(answer.body.token)
}
