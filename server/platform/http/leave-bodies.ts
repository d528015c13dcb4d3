import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/**
 * Closes the connection after the answer to a request whose body is, or may be, larger than the limit. Otherwise Node reads
 * and discards the whole body of a request that is answered early, to keep its connection.
 */
export function leaveLargeBodies(server: Server, limitBytes: number): void {
  server.prependListener('request', ({ headers }: IncomingMessage, response: ServerResponse) => {
    const isLarge = Number(headers['content-length'] ?? 0) > limitBytes
    if (isLarge || headers['transfer-encoding'] !== undefined) response.setHeader('connection', 'close')
  })
}
