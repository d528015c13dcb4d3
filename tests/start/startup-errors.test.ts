import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assertNodeVersion } from '#server/processes/node-version.ts'
import { findFreePort } from '#server/processes/ports.ts'
import { makeDataDir, runServer } from '#tests/support/run-server.ts'

let folder: ReturnType<typeof makeDataDir>

beforeAll(() => {
  folder = makeDataDir()
})

afterAll(() => folder.remove())

/** Starts with these settings, and expects exit code 1 and one sentence. */
async function readStartupError(env: Record<string, string>): Promise<string> {
  const server = runServer({ dataDir: folder.dataDir, env })
  expect(await server.ended).toBe(1)
  const sentence = server.output().trim().split('\n').at(-1) ?? ''
  expect(server.output()).not.toMatch(/^\s+at /m)
  return sentence
}

describe.concurrent('a failed start ends with one sentence', () => {
  test('a port that is in use', async () => {
    const holder = createServer()
    const port = await new Promise<number>((resolve) => {
      holder.listen(0, 'localhost', () => resolve((holder.address() as AddressInfo).port))
    })
    try {
      expect(await readStartupError({ PORT: String(port), DATA_DIR: join(folder.dataDir, 'a') })).toBe(
        `Port ${port} is already taken: stop the program that uses it, or set PORT to another port.`,
      )
    } finally {
      holder.close()
    }
  })

  test('a chain port that is in use', async () => {
    const holder = createServer()
    const port = await new Promise<number>((resolve) => {
      holder.listen(0, '127.0.0.1', () => resolve((holder.address() as AddressInfo).port))
    })
    try {
      expect(
        await readStartupError({ CHAIN_RPC_PORT: String(port), DATA_DIR: join(folder.dataDir, 'b') }),
      ).toBe(
        `Port ${port} is already taken: stop the program that uses it, or set CHAIN_RPC_PORT to another port.`,
      )
    } finally {
      holder.close()
    }
  })

  test('a port that metrics and console would share', async () => {
    const port = await findFreePort(3)
    const settings = { METRICS_PORT: String(port), CONSOLE_PORT: String(port + 1) }
    expect(await readStartupError({ ...settings, DATA_DIR: join(folder.dataDir, 'console') })).toBe(
      `METRICS_PORT is ${port}: with the ports of the other roles after it, ${port + 1} would be used twice or is too high. Set it to another port.`,
    )
  })

  test('an unreachable database', async () => {
    const sentence = await readStartupError({
      DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/farm',
      DATABASE_WAIT_SECONDS: '1',
      DATA_DIR: join(folder.dataDir, 'c'),
    })
    expect(sentence).toMatch(
      /^The database of DATABASE_URL cannot be reached: .*ECONNREFUSED.* The wait lasted 1 s/,
    )
    expect(sentence).not.toContain('secret')
  })

  test('a data folder below a file', async () => {
    const file = join(folder.dataDir, 'file')
    writeFileSync(file, '')
    expect(await readStartupError({ DATA_DIR: join(file, 'data') })).toBe(
      `The folder ${file}/data cannot be written (a file is in the way): set DATA_DIR to one that can.`,
    )
  })

  test('an invalid setting', async () => {
    expect(await readStartupError({ MARKET_MODE: 'ajar' })).toBe(
      'MARKET_MODE is "ajar", which is not one of auto, open, closed.',
    )
  })

  test('a recipient of backups with a wrong character', async () => {
    const recipient = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8q'
    expect(await readStartupError({ BACKUP_RECIPIENT: recipient })).toBe(
      'BACKUP_RECIPIENT is no public key of age, perhaps because a character is wrong: copy it again.',
    )
  })
})

test('a console may listen on the default port of the game, which has another one', () => {
  const env = {
    CONSOLE_PORT: '3001',
    DATABASE_URL: 'postgres://console@127.0.0.1:1/farm',
    DATABASE_WAIT_SECONDS: '0',
  }
  const { stderr } = spawnSync(process.execPath, ['server/main.ts', 'console'], { encoding: 'utf8', env })
  expect(stderr).toMatch(/^The database of DATABASE_URL cannot be reached/m)
})

test('an invalid setting is named before the web app is built, which contains PUBLIC_URL', () => {
  const env = { PATH: process.env.PATH, PUBLIC_URL: 'https://', DATA_DIR: join(folder.dataDir, 'd') }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.mjs'], {
    encoding: 'utf8',
    env,
  })
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^PUBLIC_URL is "https:\/\/", which is not an address like https:\/\/…\.$/m)
})

test('a Node other than the installed one is refused', () => {
  expect(() => assertNodeVersion('v20.20.2')).toThrow(/needs Node 24 and this is v20\.20\.2/)
  expect(() => assertNodeVersion('v24.21.0')).not.toThrow()
})

test('an old Node on the host prints what to do', ({ skip }) => {
  const host = ['/usr/bin/node', '/usr/local/bin/node'].find((node) => {
    const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
    return stdout && !stdout.startsWith('v24.')
  })
  if (!host) return skip('this machine has no other Node')
  const { status, stderr } = spawnSync(host, ['scripts/start.mjs'], { encoding: 'utf8' })
  expect(stderr).toMatch(/^Cotton Farm needs Node 24 and this is v\S+: use "npm start", .*\n$/)
  expect(status).toBe(1)
})

test('a start without packages, as by an npm that ignores scripts, prints what to do', () => {
  const scripts = join(folder.dataDir, 'checkout/scripts')
  mkdirSync(scripts, { recursive: true })
  for (const file of ['start.mjs', 'assert-node.mjs'])
    copyFileSync(join('scripts', file), join(scripts, file))
  const { status, stderr } = spawnSync(process.execPath, [join(scripts, 'start.mjs')], { encoding: 'utf8' })
  expect(stderr).toMatch(/^The packages are not installed: run "node scripts\/setup\.mjs", .*\n$/)
  expect(status).toBe(1)
})
