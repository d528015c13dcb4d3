/** @module-tag variant */
import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { findFreePort } from '#server/processes/ports.ts'
import { HAPROXY_PACKAGES, haproxySample } from '#tests/support/haproxy-sample.ts'
import { makeDataDir } from '#tests/support/run-server.ts'
import { unpackDebianProgram } from './debian-program.ts'
import { startApis, startProxy } from './start-proxy.ts'

const CADDYFILE = resolve(import.meta.dirname, '../../deploy/proxy/Caddyfile')

type Ports = { own: number; apis: readonly number[] }

type Proxy = {
  name: string
  packages: string[]
  program: string
  /** Returns the command's arguments and settings. */
  prepare: (folder: string, ports: Ports) => { args: string[]; env?: Record<string, string> }
}

const PROXIES: Proxy[] = [
  {
    name: 'HAProxy',
    packages: HAPROXY_PACKAGES,
    program: 'usr/sbin/haproxy',
    prepare(folder, ports) {
      const file = join(folder, 'haproxy.cfg')
      writeFileSync(file, haproxySample(ports))
      return { args: ['-db', '-f', file] }
    },
  },
  {
    name: 'Caddy',
    packages: ['caddy'],
    program: 'usr/bin/caddy',
    prepare: (folder, { own, apis }) => ({
      args: ['run', '--adapter', 'caddyfile', '--config', CADDYFILE],
      env: {
        HOME: folder,
        FARM_HOST: `http://127.0.0.1:${own}`,
        FARM_API: apis.map((port) => `127.0.0.1:${port}`).join(' '),
      },
    }),
  },
]

test.for(PROXIES)(
  '$name does not send every request to the api that has the fewest WebSockets',
  { timeout: 60_000 },
  async ({ name, packages, program, prepare }, { skip }) => {
    const unpacked = unpackDebianProgram(packages, program)
    if (!unpacked) return skip(`apt-get cannot download ${name} here`)
    // An answer that does not end takes the place of a WebSocket: a proxy counts both for as long as they are open.
    const sockets: ServerResponse[][] = [[], []]
    const received = [0, 0]
    const apis = await startApis(
      sockets.map((open, at) => (request, response) => {
        if (request.url === '/assets/farm.js') received[at]! += 1
        if (request.url !== '/ws') return void response.end('ok')
        response.write('open')
        open.push(response)
      }),
    )
    const own = await findFreePort()
    const url = `http://127.0.0.1:${own}`
    const folder = makeDataDir()
    const stop = await startProxy(unpacked, { ...prepare(folder.dataDir, { own, apis: apis.ports }), url })
    const opened: Response[] = []
    try {
      while (opened.length < 20) opened.push(await fetch(`${url}/ws`))
      for (const open of sockets) expect(open.length).toBeGreaterThan(5)
      // As if the first api had been restarted.
      for (const response of sockets[0]!) response.end()
      for (let sent = 0; sent < 200; sent++) await (await fetch(`${url}/assets/farm.js`)).text()
      for (const count of received) expect(count).toBeGreaterThan(20)
    } finally {
      for (const response of sockets.flat()) response.end()
      await Promise.all(opened.map((answer) => answer.text()))
      await stop()
      await apis.stop()
      folder.remove()
    }
  },
)
