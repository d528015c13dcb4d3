import { type AddressInfo, createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Log } from '#server/platform/log.ts'
import { errorCode } from '#server/platform/startup-error.ts'

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
 * both.
 */
export async function listen(
  app: FastifyInstance,
  { host, port }: { host: string; port: number },
  log: Log,
): Promise<string> {
  if (host !== 'localhost') return app.listen({ host, port })
  const url = await app.listen({ host: '127.0.0.1', port })
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
  return url
}
