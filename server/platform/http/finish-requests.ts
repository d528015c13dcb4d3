import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/**
 * Lets a server that closes answer what it is asked already: from then on nobody new is let in, and after `finishMs` at
 * the latest what is still open is cut. While `isDraining` every answer asks its client to open another connection next time.
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
    // One function for all: `close` comes once, and a call that everybody makes should cost nothing that it need not.
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
    // A connection that finished its last call meanwhile is idle now.
    app.server.closeIdleConnections()
    if (calls.open > 0) app.server.closeAllConnections()
  })
}
