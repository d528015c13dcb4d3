import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { findFreePort } from '#server/processes/ports.ts'
import { makeDataDir } from '#tests/support/run-server.ts'
import { unpackDebianProgram } from './debian-program.ts'
import { sendSlowly } from './send-slowly.ts'
import { startApis, startProxy } from './start-proxy.ts'

const SAMPLE = readFileSync(resolve(import.meta.dirname, '../../deploy/proxy/Caddyfile'), 'utf8')

test('Caddy does not wait for a request that arrives byte by byte', { timeout: 30_000 }, async ({ skip }) => {
  const caddy = unpackDebianProgram(['caddy'], 'usr/bin/caddy')
  if (!caddy) return skip('apt-get cannot download Caddy here')
  const own = await findFreePort()
  const folder = makeDataDir()
  const file = join(folder.dataDir, 'Caddyfile')
  writeFileSync(file, SAMPLE.replace('read_header 10s', 'read_header 1s'))
  const apis = await startApis([(_request, response) => void response.end('ok')])
  const url = `http://127.0.0.1:${own}`
  const stop = await startProxy(caddy, {
    args: ['run', '--adapter', 'caddyfile', '--config', file],
    env: { HOME: join(folder.dataDir, 'home'), FARM_HOST: url, FARM_API: `127.0.0.1:${apis.ports[0]}` },
    url,
  })
  expect(await sendSlowly(own).finally(stop)).not.toMatch(/^HTTP\/1\.1 200 /)
  await apis.stop()
  folder.remove()
})
