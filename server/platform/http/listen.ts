import { type AddressInfo, createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Log } from '#server/platform/log.ts'
import { describeListenError } from '#server/platform/describe-listen-error.ts'
import { errorCode, PassingStartupError, StartupError } from '#server/platform/startup-error.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Additional listeners of the server. */
    alsoListening: Server[]
  }
}

// A machine may have no IPv6.
const UNSUPPORTED = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])

/**
 * Listens on an address; `localhost` is 127.0.0.1, and ::1 if it is available. A Node server listens on one address only.
 * A second HTTP server would lack the limits and error responses of the first, so the first serves the connections of
 * both. Throws a `StartupError` that names `settings` (port, host) if the address cannot be used.
 */
export async function listen(
  app: FastifyInstance,
  { host, port, settings }: { host: string; port: number; settings: readonly [port: string, host: string] },
  log: Log,
): Promise<string> {
  const url = await app
    .listen({ host: host === 'localhost' ? '127.0.0.1' : host, port })
    .catch((error: unknown) => {
      const sentence = describeListenError(error, { host, port, settings })
      // A previous process may still be stopping.
      throw errorCode(error) === 'EADDRINUSE' ? new PassingStartupError(sentence) : new StartupError(sentence)
    })
  if (host === 'localhost') await listenOnIPv6(app, log)
  return url
}

async function listenOnIPv6(app: FastifyInstance, log: Log): Promise<void> {
  // The options that Node uses for an HTTP server.
  const second = createServer({ allowHalfOpen: true, noDelay: true })
  second.on('connection', (socket) => app.server.emit('connection', socket))
  await new Promise<void>((resolve) => {
    second.on('error', (error) => {
      if (!UNSUPPORTED.has(errorCode(error))) log.warn({ err: error }, 'cannot listen on ::1')
      resolve()
    })
    second.listen({ host: '::1', port: (app.server.address() as AddressInfo).port }, resolve)
  })
  if (second.listening) app.alsoListening.push(second)
}
