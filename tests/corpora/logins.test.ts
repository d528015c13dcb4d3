import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { sql } from '#server/platform/db/db.ts'
import { call, logIn, serveApp, signLogin } from '#tests/support/serve-app.ts'
import { testPlayer } from '#tests/support/test-player.ts'
import { test } from '#tests/support/test-world.ts'
import { type Attempt, type LoginContext, keylessLogins, NEAR_MISSES } from './hostile-logins.ts'

const VERIFY = '/api/users/verify-wallet'

/** Hundreds of logins take long on a busy machine. */
const LIMIT = { timeout: 240_000 }

let app: FastifyInstance
test.beforeAll(async ({ world }) => {
  app = await serveApp(world)
})

async function nonceFor(wallet: string): Promise<{ message: string; nonce: string }> {
  const { body } = await call(app, 'POST', '/api/users/nonce', { body: { walletAddress: wallet } })
  return { message: String(body.message), nonce: String(body.nonce) }
}

async function createContext(): Promise<LoginContext> {
  const [player, stranger] = [testPlayer(), testPlayer()]
  const { nonce: foreign } = await nonceFor(stranger.wallet)
  return { player, stranger, foreign, ...(await nonceFor(player.wallet)) }
}

/** Posts a login. Returns status and body. */
async function post(attempt: Attempt): Promise<{ status: number; text: string }> {
  const [payload, type] =
    'text' in attempt
      ? [attempt.text, attempt.type ?? 'application/json']
      : [JSON.stringify(attempt.body), 'application/json']
  const answer = await app.inject({
    method: 'POST',
    url: VERIFY,
    payload,
    headers: { 'content-type': type },
  })
  return { status: answer.statusCode, text: answer.body }
}

const refused = ({ status, text }: { status: number; text: string }) =>
  status >= 400 && status < 500 && !text.includes('token')

const countSessions = sql({
  name: 'test-corpus-sessions',
  text: 'select count(*)::int as open from sessions',
})

test('the corpus has enough cases', async () => {
  const names = [...NEAR_MISSES, ...(await keylessLogins())].map((each) => each.name)
  expect(new Set(names).size).toBe(names.length)
  expect(NEAR_MISSES.length).toBeGreaterThanOrEqual(200)
  expect(names.length).toBeGreaterThanOrEqual(400)
})

test(
  'no login that differs from a valid one is accepted, and none causes an error',
  LIMIT,
  async ({ world }) => {
    const wrong: object[] = []
    let honest = 0
    const tryOne = async ({ name, attempt }: (typeof NEAR_MISSES)[number]) => {
      const each = await createContext()
      const answer = await post(attempt(each))
      if (!refused(answer)) wrong.push({ name, ...answer })
      // The same nonce, wallet and key can log in, so the attempt was refused only for its difference.
      const right = await post({ body: signLogin(each.player, each.message) })
      if (right.status !== 200) wrong.push({ name, afterwards: right })
      else honest += 1
    }
    const left = [...NEAR_MISSES]
    const work = async (): Promise<void> => {
      for (let next = left.shift(); next; next = left.shift()) await tryOne(next)
    }
    await Promise.all(Array.from({ length: 8 }, work))
    expect(wrong).toEqual([])
    expect(honest).toBe(NEAR_MISSES.length)
    expect(await world.db.rows(countSessions)).toEqual([{ open: honest }])
  },
)

test('a wallet without a key cannot log in', LIMIT, async ({ world }) => {
  const before = await world.db.rows(countSessions)
  const wrong: object[] = []
  for (const { name, wallet, signature } of await keylessLogins()) {
    const { message } = await nonceFor(wallet)
    const answer = await post({ body: { walletAddress: wallet, message, signature } })
    if (!refused(answer)) wrong.push({ name, ...answer })
  }
  expect(wrong).toEqual([])
  expect(await world.db.rows(countSessions)).toEqual(before)
  expect(await logIn(app, testPlayer())).toMatch(/^.{40,}$/)
})
