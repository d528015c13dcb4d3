import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode, StartupError } from '#server/platform/startup-error.ts'

function listen(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address()
      const taken = typeof address === 'object' && address ? address.port : port
      server.close(() => resolve(taken))
    })
  })
}

/** A port on 127.0.0.1 that is free at the moment. */
export const findFreePort = (): Promise<number> => listen(0, '127.0.0.1')

/**
 * Checks that `port` is free, and waits three seconds for a previous process that is still stopping.
 * A `StartupError` names `setting` if the port stays taken or is not permitted.
 */
export async function reservePort(
  port: number,
  { setting, host }: { setting: string; host: string },
): Promise<void> {
  const deadline = Date.now() + 3000
  for (;;) {
    try {
      await listen(port, host)
      return
    } catch (error) {
      if (errorCode(error) === 'EADDRINUSE' && Date.now() < deadline) {
        await sleep(100)
        continue
      }
      throw new StartupError(describe(error, { port, setting }))
    }
  }
}

function describe(error: unknown, { port, setting }: { port: number; setting: string }): string {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return `Port ${port} is already taken: stop the program that uses it, or set ${setting} to another port.`
    case 'EACCES':
      return `Port ${port} may not be used by this user: set ${setting} to another port.`
    default:
      return `Port ${port} cannot be used (${errorCode(error)}): check ${setting}.`
  }
}
