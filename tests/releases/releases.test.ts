import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { Client } from 'pg'
import { findFreePort } from '#server/processes/ports.ts'
import { findRunningPostgres } from '#server/processes/postgres/postgres.ts'
import { SITE } from '#tests/support/chain-test-world.ts'
import { makeOperators } from '#tests/support/operators.ts'
import {
  COMPILE_CACHE,
  killServer,
  makeDataDir,
  type RunningServer,
  runServer,
  waitFor,
} from '#tests/support/run-server.ts'
import { signLogin } from '#tests/support/serve-app.ts'
import { testPlayer } from '#tests/support/test-player.ts'
import { listReleases, unpackRelease } from './release-archive.ts'

const ROOT = resolve(import.meta.dirname, '../..')

let folder: ReturnType<typeof makeDataDir>
let server: RunningServer | undefined

afterEach(async () => {
  await killServer(server)
  folder.remove()
})

async function countByState(url: string): Promise<Record<string, number>> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ state: string; count: number }>(
    'select state, count(*)::int as count from withdrawals group by state',
  )
  await client.end()
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

test.for(listReleases())(
  'the data folder of %s migrates, its books are right, and the game goes on',
  { timeout: 120_000 },
  async (version) => {
    folder = makeDataDir()
    const { dataDir } = folder
    unpackRelease(version, dataDir)
    const port = await findFreePort()
    const chainPort = await findFreePort(2)
    const env = { PORT: String(port), CHAIN_RPC_PORT: String(chainPort), PUBLIC_URL: SITE.uri }
    server = runServer({ dataDir, env })
    await server.ready
    const database = findRunningPostgres(dataDir)!
    const ops = (...args: string[]) =>
      spawnSync(process.execPath, ['server/main.ts', 'ops', ...args], {
        cwd: ROOT,
        encoding: 'utf8',
        env: { ...COMPILE_CACHE, PATH: process.env.PATH, DATA_DIR: dataDir, ...env },
      })
    // What was requested, approved, signed or sent is paid, and what waits for an operator still does.
    const settled = await waitFor(
      'every withdrawal to be paid',
      async () => {
        const states = await countByState(database)
        const open = ['requested', 'approved', 'signed', 'sent'].some((state) => (states[state] ?? 0) > 0)
        return open ? null : states
      },
      60_000,
    )
    expect(settled.finalized).toBeGreaterThanOrEqual(5)
    const audited = ops('audit', '--chain', 'required')
    expect(audited.stdout + audited.stderr).toContain('The ledger has no errors.')

    const player = testPlayer()
    const post = async (path: string, body: object, token = '') => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
      const answer = await fetch(`http://localhost:${port}${path}`, {
        method: 'POST',
        headers: { ...headers, ...(token && { 'x-auth-token': token }) },
        body: JSON.stringify(body),
      })
      return (await answer.json()) as { success: boolean; message: string; token: string }
    }
    const { message } = await post('/api/users/nonce', { walletAddress: player.wallet })
    const { token } = await post('/api/users/verify-wallet', signLogin(player, message))
    const { key } = makeOperators(['ana'], dataDir)
    const by = ['--class', 'earned', ...key('ana'), '--reason', 'A gift.']
    expect(ops('adjust', player.wallet, '60000', ...by)).toMatchObject({ stderr: '', status: 0 })
    const body = { workerType: 'kid', walletAddress: player.wallet }
    expect(await post('/api/workers/purchase', body, token)).toMatchObject({ success: true })
    const after = ops('audit', '--chain', 'required')
    expect([after.status, after.stdout]).toEqual([0, expect.stringContaining('The chain agrees with it.')])
    server.pressCtrlC()
    expect(await server.ended).toBe(0)
  },
)

test('the folder of the present version is kept', () => {
  expect(listReleases()).toContain('0.1.0')
})
