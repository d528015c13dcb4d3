import { afterAll, expect, test } from 'vitest'
import { sentenceOf } from '#contract/refusals.ts'
import { findFreePort } from '#server/processes/ports.ts'
import { makeDataDir, waitFor } from '#tests/support/run-server.ts'
import { type Haproxy, startHaproxy } from './haproxy.ts'
import { findHaproxy, type Program } from './programs.ts'

const { dataDir: folder, remove } = makeDataDir()
let haproxy: Haproxy | undefined

afterAll(async () => {
  await haproxy?.part.stop()
  remove()
})

function findProgram(): Program | null {
  try {
    return findHaproxy()
  } catch (error) {
    process.stdout.write(`${String(error)}\n`)
    return null
  }
}

const program = findProgram()

test.skipIf(!program)('while no api is ready, a call is answered with the busy of the game', async () => {
  const port = await findFreePort()
  const ports = { postgres: port, rest: port, client: port, peer: port }
  const node = { host: '127.0.0.1', ports }
  haproxy = await startHaproxy({
    name: 'haproxy',
    program: program!,
    folder,
    logs: folder,
    apiPorts: [port],
    database: { nodes: [node, node, node] },
    isLimited: true,
    edit: (text) => text,
  })
  const call = async () => {
    const answer = await fetch(`${haproxy!.url}/api/workers/supply`).catch(() => null)
    return answer?.headers.get('content-type') === 'application/json' ? answer : null
  }
  // Until its first checks are over, HAProxy takes the api to be ready.
  const answer = await waitFor('the answer', call)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await answer.json()).toEqual({
    success: false,
    code: 'busy',
    message: sentenceOf({ code: 'busy', facts: {} }),
  })
  const page = await fetch(haproxy.url)
  expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html'])
})
