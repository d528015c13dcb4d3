/** @module-tag variant */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { once } from 'node:events'
import { afterAll, expect, test } from 'vitest'
import { checkLogin } from '#server/platform/db/check-login.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { MIGRATIONS } from '#server/platform/db/migrations.ts'
import { readPasswords, withLogin } from '#server/platform/db/roles.ts'
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

const folder = makeDataDir()
let server: RunningServer | undefined
let checkout: string | undefined
let newApi: ChildProcess | undefined

afterAll(async () => {
  newApi?.kill('SIGKILL')
  await killServer(server)
  folder.remove()
  if (checkout) rmSync(checkout, { recursive: true })
})

/** The release before this version; this version itself while there is no other. */
function findPrevious(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const order = new Intl.Collator('en', { numeric: true }).compare
  const earlier = listReleases()
    .toSorted(order)
    .filter((each) => order(each, version) < 0)
  return earlier.at(-1) ?? version
}

/** The program of a release: its tag, with the packages of this checkout. Null if the tag is not here. */
function findProgram(version: string): string | null {
  if (
    version === (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version
  )
    return ROOT
  const { status, stdout } = spawnSync('git', ['archive', `v${version}`], { cwd: ROOT, maxBuffer: 1e9 })
  if (status !== 0) return null
  mkdirSync(join(ROOT, '.build'), { recursive: true })
  checkout = mkdtempSync(join(ROOT, '.build', 'release-'))
  spawnSync('tar', ['-x', '-C', checkout], { input: stdout })
  // Hard links: roles may read files of their own checkout only.
  spawnSync('cp', ['-al', join(ROOT, 'node_modules'), checkout])
  return checkout
}

test(
  'a release serves beside the one before it on one database, and the older one survives an expansion',
  { timeout: 120_000 },
  async ({ skip }) => {
    const previous = findPrevious()
    const program = findProgram(previous)
    if (!program) return skip(`the tag v${previous} is not in this repository`)
    const { dataDir } = folder
    unpackRelease(previous, dataDir)
    const [port, newPort] = [await findFreePort(), await findFreePort()]
    const chainPort = await findFreePort(2)
    const env = { PORT: String(port), CHAIN_RPC_PORT: String(chainPort), PUBLIC_URL: SITE.uri }
    server = runServer({ dataDir, env, command: [process.execPath, join(program, 'server/main.ts'), 'all'] })
    await server.ready
    const url = findRunningPostgres(dataDir)!
    const passwords = readPasswords({ env: {}, secretsDir: join(dataDir, 'secrets') })
    await migrate({ url, passwords, ownCluster: true })

    const shell = {
      ...COMPILE_CACHE,
      PATH: process.env.PATH ?? '',
      DATA_DIR: dataDir,
      ...env,
      PORT: String(newPort),
      DATABASE_URL: url,
    }
    const printed = spawnSync(process.execPath, ['server/main.ts', 'ops', 'env', 'api', '--with-passwords'], {
      cwd: ROOT,
      encoding: 'utf8',
      env: shell,
    })
    const file = join(dataDir, 'api.env')
    writeFileSync(file, printed.stdout, { mode: 0o600 })
    const api = spawn(process.execPath, [`--env-file=${file}`, 'server/main.ts', 'api'], {
      cwd: ROOT,
      env: {},
      stdio: 'inherit',
    })
    newApi = api
    await waitFor(
      'the new api',
      async () => (await fetch(`http://localhost:${newPort}/readyz`).catch(() => null))?.ok,
    )

    const post = async (at: number, path: string, body: object, token = '') => {
      const answer = await fetch(`http://localhost:${at}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
          ...(token && { 'x-auth-token': token }),
        },
        body: JSON.stringify(body),
      })
      return (await answer.json()) as { success: boolean; message: string; token: string }
    }
    const player = testPlayer()
    const { message } = await post(port, '/api/users/nonce', { walletAddress: player.wallet })
    const { token } = await post(newPort, '/api/users/verify-wallet', signLogin(player, message))
    // By the version of the signer, which may not know what another one signs.
    const given = spawnSync(
      process.execPath,
      [
        'server/main.ts',
        'ops',
        'adjust',
        player.wallet,
        '300000',
        '--class',
        'earned',
        ...makeOperators(['ana'], dataDir).key('ana'),
        '--reason',
        'A gift.',
      ],
      { cwd: program, encoding: 'utf8', env: shell },
    )
    expect([given.stderr, given.status]).toEqual(['', 0])
    const hire = (at: number) =>
      post(at, '/api/workers/purchase', { workerType: 'kid', walletAddress: player.wallet }, token)
    for (const at of [port, newPort]) expect(await hire(at)).toMatchObject({ success: true })

    const dir = mkdtempSync(join(dataDir, 'migrations-'))
    cpSync(MIGRATIONS, dir, { recursive: true })
    writeFileSync(
      join(dir, '9001_next.sql'),
      'alter table workers add column boost int not null default 0; alter table land add column note text; create table guests (id int)',
    )
    expect(await migrate({ url, passwords, ownCluster: true, dir })).toEqual(['9001_next.sql'])
    for (const at of [port, newPort]) expect(await hire(at)).toMatchObject({ success: true })
    // A start is refused.
    const ofApi = withLogin(url, { name: 'api', password: passwords.api })
    await expect(checkLogin({ role: 'api', url: ofApi, waitMs: 0 })).rejects.toThrow(
      /^The database is newer than this program/,
    )
    const ended = once(api, 'exit')
    api.kill('SIGTERM')
    await ended
  },
)
