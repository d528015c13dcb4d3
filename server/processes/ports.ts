import { randomInt } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describeListenError } from '#server/platform/describe-listen-error.ts'
import { errorCode, StartupError } from '#server/platform/startup-error.ts'

/**
 * `localhost` is free only if both of its addresses are. The api listens on both, and a browser may try either first: it would
 * show the program that uses the other one. A machine may have no IPv6.
 */
async function listenOn(port: number, host: string): Promise<void> {
  if (host !== 'localhost') return listen(port, host)
  await listen(port, '127.0.0.1')
  await listen(port, '::1').catch((error: unknown) => {
    if (errorCode(error) === 'EADDRINUSE') throw error
  })
}

function listen(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve()))
  })
}

// Below the ports that systems give to outgoing connections (Linux: from 32,768), so that no connection takes a port
// between its choice and its use.
const CHOSEN_PORTS = { first: 20_000, count: 12_000 }

/**
 * A random port on 127.0.0.1 that is free at the moment. With `count`, the ports after it are free too. While this process runs
 * no call chooses them again, in this process or another.
 */
export async function findFreePort(count = 1): Promise<number> {
  for (;;) {
    const first = CHOSEN_PORTS.first + randomInt(CHOSEN_PORTS.count)
    const marks = Array.from({ length: count }, () => createSocket('udp4'))
    const results = await Promise.allSettled(
      marks.map(async (socket, n) => {
        await bindMark(socket, first + n)
        await listen(first + n, '127.0.0.1')
      }),
    )
    if (results.every(({ status }) => status === 'fulfilled')) return first
    for (const socket of marks) socket.close()
  }
}

/**
 * Binds the UDP port with the number of a chosen TCP port, which stays free for its user. Another game that starts at the same
 * moment cannot bind it, and chooses another number.
 */
function bindMark(socket: Socket, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.bind({ address: '127.0.0.1', port, exclusive: true }, () => {
      socket.unref()
      resolve()
    })
  })
}

/**
 * Checks that `port` is free, and waits three seconds for a previous process that is still stopping.
 * A `StartupError` names `settings` (port, host) if the port stays taken or the address cannot be used.
 */
export async function reservePort(
  port: number,
  { settings, host }: { settings: readonly [port: string, host?: string]; host: string },
): Promise<void> {
  const deadline = Date.now() + 3000
  for (;;) {
    try {
      await listenOn(port, host)
      return
    } catch (error) {
      if (errorCode(error) === 'EADDRINUSE' && Date.now() < deadline) {
        await sleep(100)
        continue
      }
      throw new StartupError(describeListenError(error, { host, port, settings }))
    }
  }
}
