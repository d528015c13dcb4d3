import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/**
 * Lets a closing server finish its requests in flight. New connections are refused, and after `finishMs` open ones are
 * destroyed. While `isDraining`, every response asks its client to close the connection.
 */
export function finishRequests(
  app: FastifyInstance,
  { finishMs, isDraining }: { finishMs: number; isDraining(): boolean },
): void {
  const calls = { open: 0, closing: false }
  const ended = () => {
    calls.open -= 1
  }
  app.addHook('onRequest', (_request, { raw }, next) => {
    calls.open += 1
    // One shared listener: this runs for every request.
    raw.on('close', ended)
    if (calls.closing || isDraining()) raw.setHeader('connection', 'close')
    next()
  })
  app.addHook('preClose', async () => {
    calls.closing = true
    if (!app.server.listening) return
    for (const each of [app.server, ...app.alsoListening]) each.close()
    const deadline = performance.now() + finishMs
    while (calls.open > 0 && performance.now() < deadline) {
      await sleep(10)
      app.server.closeIdleConnections()
    }
    // Connections whose last request has finished in the meantime are idle now.
    app.server.closeIdleConnections()
    if (calls.open > 0) app.server.closeAllConnections()
  })
}
