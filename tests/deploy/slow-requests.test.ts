import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { findFreePort } from '#server/processes/ports.ts'
import { makeDataDir } from '#tests/support/run-server.ts'
import { unpackDebianProgram } from './debian-program.ts'
import { sendSlowly } from './send-slowly.ts'
import { startApis, startProxy } from './start-proxy.ts'

type Sample = { file: string; settings: (of: { site: string; behind: string }) => Record<string, string> }

const SAMPLES: Sample[] = [
  { file: 'Caddyfile', settings: ({ site, behind }) => ({ FARM_HOST: site, FARM_API: behind }) },
  {
    file: 'console.Caddyfile',
    settings: ({ site, behind }) => ({
      CONSOLE_SITE: site,
      CONSOLE_BIND: '127.0.0.1',
      CONSOLE_ROLE: behind,
    }),
  },
]

test.for(SAMPLES)(
  'Caddy with the sample $file waits for no request byte by byte, and replaces the address that a caller invents',
  { timeout: 30_000 },
  async ({ file, settings }, { skip }) => {
    const caddy = unpackDebianProgram(['caddy'], 'usr/bin/caddy')
    if (!caddy) return skip('apt-get cannot download Caddy here')
    const sample = readFileSync(resolve(import.meta.dirname, '../../deploy/proxy', file), 'utf8')
    const own = await findFreePort()
    const folder = makeDataDir()
    const path = join(folder.dataDir, file)
    writeFileSync(path, sample.replace('read_header 10s', 'read_header 1s'))
    const apis = await startApis([
      (request, response) => void response.end(request.headers['x-forwarded-for']),
    ])
    const url = `http://127.0.0.1:${own}`
    const stop = await startProxy(caddy, {
      args: ['run', '--adapter', 'caddyfile', '--config', path],
      env: {
        HOME: join(folder.dataDir, 'home'),
        ...settings({ site: url, behind: `127.0.0.1:${apis.ports[0]}` }),
      },
      url,
    })
    try {
      const answer = await fetch(url, { headers: { 'x-forwarded-for': '198.51.100.7' } })
      expect(await answer.text()).toBe('127.0.0.1')
      expect(await sendSlowly(own)).not.toMatch(/^HTTP\/1\.1 200 /)
    } finally {
      await stop()
    }
    await apis.stop()
    folder.remove()
  },
)
