import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '#server/processes/ports.ts'
import { makeDataDir, waitFor } from '#tests/support/run-server.ts'
import { unpackDebianProgram } from './debian-program.ts'

const SAMPLE = readFileSync(resolve(import.meta.dirname, '../../deploy/proxy/nginx.conf'), 'utf8')
const REFUSAL = { success: false, code: 'chain_unreachable' }

const program = unpackDebianProgram(['nginx'], 'usr/sbin/nginx')
if (!program) process.stdout.write('apt-get cannot download nginx here: its refusals are not tested\n')

let folder: ReturnType<typeof makeDataDir>
let proxy: ChildProcess
let url: string
const apis: Server[] = []

/** Two apis that reach no node of the chain. The first one is about to stop, and opens no WebSocket. */
function createApi(at: number): Server {
  return createServer(({ url: path }, response) => {
    const refuses = path === '/api/deposits/wallet-balance' || (path === '/ws' && at === 0)
    response.writeHead(refuses ? 503 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(refuses ? REFUSAL : { success: true }))
  })
}

beforeAll(async () => {
  if (!program) return
  folder = makeDataDir()
  const ports = [await findFreePort(), await findFreePort()]
  for (const [at, port] of ports.entries()) {
    const server = createApi(at)
    await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
    apis.push(server)
  }
  const own = await findFreePort()
  const site = SAMPLE.replace(/^ *ssl_certificate.*\n/gm, '')
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${own};`)
    .replace('listen [::]:443 ssl http2;', '')
    .replace(
      /^ *server 127\.0\.0\.1:3001(.*)$/m,
      ports.map((port) => `server 127.0.0.1:${port}$1`).join('\n'),
    )
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder.dataDir}/nginx-${name};`)
    .join('\n')
  const file = join(folder.dataDir, 'nginx.conf')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  writeFileSync(
    file,
    `${user} daemon off; error_log stderr crit; events {}\npid ${folder.dataDir}/nginx.pid;\nhttp {\naccess_log off;\n${temporary}\n${site}}\n`,
  )
  proxy = spawn(program.path, ['-p', folder.dataDir, '-e', 'stderr', '-c', file], {
    env: program.env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  url = `http://127.0.0.1:${own}`
  await waitFor('nginx', async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok)
})

afterAll(async () => {
  if (!program) return
  const ended = once(proxy, 'exit')
  proxy.kill('SIGTERM')
  await ended
  for (const server of apis) server.closeAllConnections()
  await Promise.all(apis.map((server) => new Promise((closed) => server.close(closed))))
  folder.remove()
})

test.skipIf(!program)('while apis refuse reads of the chain, nginx takes none of them away', async () => {
  for (let round = 0; round < 10; round++) {
    const refused = await fetch(`${url}/api/deposits/wallet-balance`)
    expect([refused.status, await refused.json()]).toEqual([503, REFUSAL])
    expect((await fetch(`${url}/api/site`)).status).toBe(200)
  }
})

test.skipIf(!program)('a WebSocket that one api refuses is opened by another', async () => {
  for (let round = 0; round < 10; round++) expect((await fetch(`${url}/ws`)).status).toBe(200)
})
