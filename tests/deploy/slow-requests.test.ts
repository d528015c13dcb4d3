import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { findFreePort } from '#server/processes/ports.ts'
import { makeDataDir, waitFor } from '#tests/support/run-server.ts'
import { unpackDebianProgram } from './debian-program.ts'
import { sendSlowly } from './send-slowly.ts'

const SAMPLE = readFileSync(resolve(import.meta.dirname, '../../deploy/proxy/Caddyfile'), 'utf8')

test('Caddy does not wait for a request that arrives byte by byte', { timeout: 30_000 }, async ({ skip }) => {
  const caddy = unpackDebianProgram(['caddy'], 'usr/bin/caddy')
  if (!caddy) return skip('apt-get cannot download Caddy here')
  const [own, apiPort] = [await findFreePort(), await findFreePort()]
  const folder = makeDataDir()
  const file = join(folder.dataDir, 'Caddyfile')
  writeFileSync(file, SAMPLE.replace('read_header 10s', 'read_header 1s'))
  const api = createServer((_request, response) => void response.end('ok')).listen(apiPort, '127.0.0.1')
  const child = spawn(caddy.path, ['run', '--adapter', 'caddyfile', '--config', file], {
    env: {
      ...caddy.env,
      HOME: join(folder.dataDir, 'home'),
      FARM_HOST: `http://127.0.0.1:${own}`,
      FARM_API: `127.0.0.1:${apiPort}`,
    },
    stdio: 'ignore',
  })
  try {
    await waitFor('Caddy', async () => (await fetch(`http://127.0.0.1:${own}`).catch(() => null))?.ok)
    expect(await sendSlowly(own)).not.toMatch(/^HTTP\/1\.1 200 /)
  } finally {
    child.kill()
    await once(child, 'exit')
    api.closeAllConnections()
    api.close()
    folder.remove()
  }
})
