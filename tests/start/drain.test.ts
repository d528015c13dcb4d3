import { connect } from 'node:net'
import { afterAll, expect } from 'vitest'
import { WebSocket } from 'ws'
import { sql } from '#server/platform/db/db.ts'
import {
  makeDataDir,
  killServer,
  listProcessTree,
  type RunningServer,
  runServer,
  waitFor,
} from '#tests/support/run-server.ts'
import { signLogin } from '#tests/support/serve-app.ts'
import type { TestPlayer } from '#tests/support/test-player.ts'
import { test } from '#tests/support/test-world.ts'

const folder = makeDataDir()
let server: RunningServer | undefined

afterAll(async () => {
  await killServer(server)
  folder.remove()
})

const lockAccounts = sql({
  name: 'test-lock',
  params: { wallet: 'text' },
  text: ({ wallet }) => `select from accounts where wallet = ${wallet} for update`,
})
const countWaiting = sql({
  name: 'test-waiting',
  text: `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
})

async function logIn(url: string, player: TestPlayer): Promise<string> {
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await answer.json()) as { message: string; token: string }
  }
  const { message } = await post('/api/users/nonce', { walletAddress: player.wallet })
  return (await post('/api/users/verify-wallet', signLogin(player, message))).token
}

const refusesConnections = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.once('connect', () => resolve(false)).once('error', () => resolve(true))
    socket.once('connect', () => socket.destroy())
  })

test('a stopping api reports 503 first, and finishes the requests in flight', async ({ world }) => {
  const player = await world.player({ deposited: 50_000 })
  const workerId = await world.hire(player, 'kid')
  server = runServer({
    dataDir: folder.dataDir,
    env: { ...world.environment, DRAIN_SECONDS: '2', FINISH_SECONDS: '30' },
  })
  const url = await server.ready
  const token = await logIn(url, player)
  const socket = new WebSocket(url.replace('http:', 'ws:'))
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await new Promise((resolve) => socket.once('open', resolve))

  const claimed = await world.db.transaction(async (tx) => {
    await tx.rows(lockAccounts, { wallet: player.wallet })
    const answer = fetch(`${url}/api/workers/claim`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-auth-token': token },
      body: JSON.stringify({ workerId }),
    })
    await waitFor(
      'the claim to wait for the lock',
      async () => (await world.db.rows(countWaiting)).length > 0,
    )

    process.kill(server!.pid, 'SIGTERM')
    const draining = await waitFor('readyz to say 503', async () => {
      const ready = await fetch(`${url}/readyz`)
      return ready.status === 503 ? ready : null
    })
    expect(await draining.json()).toEqual({ status: 'draining' })
    expect(draining.headers.get('connection')).toBe('close')
    const meanwhile = await fetch(`${url}/api/continent-stats`)
    expect([meanwhile.status, meanwhile.headers.get('connection')]).toEqual([200, 'close'])

    await waitFor('the port to close', () => refusesConnections(url))
    expect(listProcessTree(server!.pid).length).toBeGreaterThan(1)
    return { answer }
  })
  const answer = await claimed.answer
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ success: true })])
  expect(await closed).toBe(1001)
  expect(await server.ended).toBe(0)
})
