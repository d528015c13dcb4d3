import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'

/**
 * Closes a connection whose request was answered before its body arrived, if that body is, or may be, larger than the limit.
 * Otherwise Node reads and discards all of it, to keep the connection.
 */
export function leaveLargeBodies(server: Server, limitBytes: number): void {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!mayBeLarge(request.headers, limitBytes)) return
    response.once('finish', () => {
      if (!request.complete) request.socket.destroySoon()
    })
  })
}

const mayBeLarge = (headers: IncomingHttpHeaders, limitBytes: number): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > limitBytes
