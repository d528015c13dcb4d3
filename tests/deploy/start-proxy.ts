import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { findFreePort } from '#server/processes/ports.ts'
import { waitFor } from '#tests/support/run-server.ts'
import type { DebianProgram } from './debian-program.ts'

/** Starts a server in place of an api for each of these listeners. */
export async function startApis(listeners: readonly RequestListener[]) {
  const servers = await Promise.all(
    listeners.map(async (listener) => {
      const server = createServer(listener)
      const port = await findFreePort()
      await once(server.listen(port, '127.0.0.1'), 'listening')
      return { server, port }
    }),
  )
  return {
    ports: servers.map(({ port }) => port),
    async stop(): Promise<void> {
      for (const { server } of servers) server.closeAllConnections()
      await Promise.all(servers.map(({ server }) => new Promise((closed) => server.close(closed))))
    },
  }
}

type ProxyStart = { args: readonly string[]; env?: Record<string, string>; url: string }

/** Starts a proxy, and waits until an api answers at its `url`. Returns a function that stops it. */
export async function startProxy(
  { path, env: libraries }: DebianProgram,
  { args, env, url }: ProxyStart,
): Promise<() => Promise<void>> {
  const proxy = spawn(path, args, { env: { ...libraries, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(proxy, 'exit')
  let log = ''
  proxy.stderr.setEncoding('utf8').on('data', (text) => (log += text))
  const stop = async (): Promise<void> => {
    proxy.kill('SIGTERM')
    await ended
  }
  try {
    await waitFor(path, async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok)
  } catch (error) {
    await stop()
    throw new Error(log, { cause: error })
  }
  return stop
}
