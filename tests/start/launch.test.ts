/** @module-tag variant */
import { join, resolve } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { listProcesses } from '#server/processes/list-processes.ts'
import { makeDataDir, listProcessTree, runServer, waitFor } from '#tests/support/run-server.ts'
import type { RunningServer } from '#tests/support/run-server.ts'

const root = resolve(import.meta.dirname, '../..')

// The second test starts on the database of the first, which is cheaper than a new one.
const folder = makeDataDir()
const servers: RunningServer[] = []

function endIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM')
  } catch {
    // It has exited in the meantime.
  }
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    for (const { pid } of listProcessTree(server.pid)) endIfRunning(pid)
    await server.ended
  }
})

afterAll(() => folder.remove())

function run(options: Partial<Parameters<typeof runServer>[0]>): RunningServer {
  const server = runServer({ dataDir: folder.dataDir, ...options })
  servers.push(server)
  return server
}

test('the launcher serves the game and the web app, and exits with 0 on Ctrl-C', async () => {
  const server = run({ command: [process.execPath, join(root, 'scripts/start.mjs')] })
  const url = await server.ready
  const page = await fetch(url)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('<title>')
  expect((await fetch(`${url}/api/no-such-thing`)).status).toBe(404)
  server.pressCtrlC()
  expect(await server.ended).toBe(0)
})

const isRunning = (pid: number) => listProcesses().some((each) => each.pid === pid)

test('a server stops when its npm is killed, and the next start on its port succeeds', async () => {
  const words = `"${process.execPath}" server/main.ts all; true`
  const first = run({ command: ['sh', '-c', words], env: { npm_lifecycle_event: 'start' } })
  const { port } = new URL(await first.ready)
  const left = listProcessTree(first.pid).slice(1)
  expect(left.length).toBeGreaterThan(4)
  process.kill(first.pid, 'SIGKILL')
  const second = run({ env: { PORT: port } })
  expect(await second.ready).toBe(`http://localhost:${port}`)
  await waitFor('the end of the first', () => !left.some(({ pid }) => isRunning(pid)))
})
