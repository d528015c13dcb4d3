import type { RequestListener } from 'node:http'
import { beforeAll, expect, test } from 'vitest'
import { findFreePort } from '#server/processes/ports.ts'
import { makeDataDir } from '#tests/support/run-server.ts'
import { unpackDebianProgram } from './debian-program.ts'
import { writeNginxSample } from './nginx-sample.ts'
import { startApis, startProxy } from './start-proxy.ts'

const REFUSAL = { success: false, code: 'chain_unreachable' }

const program = unpackDebianProgram(['nginx'], 'usr/sbin/nginx')
if (!program) process.stdout.write('apt-get cannot download nginx here: its refusals are not tested\n')

let url: string

const refuse =
  (...paths: string[]): RequestListener =>
  (request, response) => {
    const refuses = paths.includes(request.url!)
    response.writeHead(refuses ? 503 : 200, { 'content-type': 'application/json' })
    const caller = request.headers['x-forwarded-for']
    response.end(JSON.stringify(refuses ? REFUSAL : { success: true, caller }))
  }

const BOTH = ['/api/deposits/wallet-balance', '/ws?full']

/** Two apis that reach no node of the chain. The first one is about to stop, and opens no WebSocket. */
const LISTENERS = [refuse(...BOTH, '/ws'), refuse(...BOTH)]

beforeAll(async () => {
  if (!program) return
  const folder = makeDataDir()
  const apis = await startApis(LISTENERS)
  const own = await findFreePort()
  url = `http://127.0.0.1:${own}`
  const args = writeNginxSample(folder.dataDir, { own, apis: apis.ports })
  const stop = await startProxy(program, { args, url })
  return async () => {
    await stop()
    await apis.stop()
    folder.remove()
  }
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

test.skipIf(!program)('while all apis refuse WebSockets, nginx takes none of them away', async () => {
  for (let round = 0; round < 10; round++) {
    expect((await fetch(`${url}/ws?full`)).status).toBe(503)
    expect((await fetch(`${url}/api/site`)).status).toBe(200)
  }
})

test.skipIf(!program)('nginx replaces the address that a caller invents', async () => {
  const answer = await fetch(`${url}/api/site`, { headers: { 'x-forwarded-for': '198.51.100.7' } })
  expect(await answer.json()).toEqual({ success: true, caller: '127.0.0.1' })
})
