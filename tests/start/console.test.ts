/** @module-tag variant */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findFreePort } from '#server/processes/ports.ts'
import { killServer, makeDataDir, rolesOf, type RunningServer, runServer } from '#tests/support/run-server.ts'
import { testPlayer, type TestPlayer } from '#tests/support/test-player.ts'

const folder = makeDataDir()
let server: RunningServer | undefined

afterAll(async () => {
  await killServer(server)
  folder.remove()
})

async function post(url: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await answer.json()) as Record<string, unknown>
}

async function logIn(url: string, { wallet, sign }: TestPlayer): Promise<string> {
  const { message } = await post(url, '/api/console/nonce', { wallet })
  const signature = sign(String(message)).toString('base64')
  const { token } = await post(url, '/api/console/login', { wallet, message, signature })
  return String(token)
}

test('npm start serves the console on its own port, and a removed operator is refused at the next call', async () => {
  const [ana, bert] = [testPlayer(), testPlayer()]
  const file = join(folder.dataDir, 'operators.json')
  const name = (...operators: { wallet: string; name: string; rights: string[] }[]) =>
    writeFileSync(file, JSON.stringify({ operators }), { mode: 0o600 })
  name(
    { wallet: ana.wallet, name: 'Ana', rights: ['view'] },
    { wallet: bert.wallet, name: 'Bert', rights: ['view'] },
  )
  const port = await findFreePort()
  server = runServer({ dataDir: folder.dataDir, env: { CONSOLE_PORT: String(port) } })
  const game = await server.ready
  const url = `http://localhost:${port}`
  expect(server.output()).toContain(`The operators’ console: ${url}`)
  expect(rolesOf(server)).toContain('console')
  const token = await logIn(url, ana)
  const read = (path: string) => fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
  for (const path of ['today', 'books', 'health', 'world', 'live'])
    expect([path, (await read(`/api/console/${path}`)).status]).toEqual([path, 200])
  // Roles, each with connections of its own login.
  const { roles } = (await (await read('/api/console/health')).json()) as {
    roles: { role: string; state: string }[]
  }
  expect(roles.map(({ role, state }) => `${role} ${state}`)).toEqual(
    expect.arrayContaining(['api running', 'watcher running', 'console running']),
  )
  // Nothing of it is on the players' origin.
  expect((await fetch(`${game}/api/console/game`)).status).toBe(404)
  expect((await fetch(`${url}/api/site`)).status).toBe(404)
  name({ wallet: bert.wallet, name: 'Bert', rights: ['view'] })
  expect((await read('/api/console/today')).status).toBe(403)
  // The console is confined: this warning would say that it is not.
  expect(server.output()).not.toMatch(/not confined|ERR_ACCESS/)
})
