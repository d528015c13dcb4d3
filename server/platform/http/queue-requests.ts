import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How many requests of a connection may wait for the one before. Browsers and proxies let none wait. */
const MAX_WAITING = 32

/**
 * Handles the requests of a connection one after the other, and closes a connection on which too many wait. Node hands over
 * all that a client has sent, and keeps each answer until the client reads the ones before.
 */
export function queueRequests(app: FastifyInstance): void {
  const waiting = new WeakMap<Socket, (() => void)[]>()
  function startNext(this: ServerResponse<IncomingMessage>): void {
    const { socket } = this.req
    const next = socket.destroyed ? undefined : waiting.get(socket)?.shift()
    if (next) next()
    else waiting.delete(socket)
  }
  app.addHook('onRequest', ({ raw: { socket } }, reply, next) => {
    const queue = waiting.get(socket)
    if (queue && queue.length >= MAX_WAITING) {
      reply.hijack()
      socket.destroy()
      return
    }
    // One shared listener: this runs for every request.
    reply.raw.on('close', startNext)
    if (queue) queue.push(next)
    else {
      waiting.set(socket, [])
      next()
    }
  })
}
