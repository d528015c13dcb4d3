import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RunningSpan, Tracing } from './tracing.ts'

/** Traces each request of a declared route. A caller that sends `traceparent` is the parent. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, RunningSpan>()
  app.addHook('onRequest', (request, _reply, next) => {
    const { url: route, config } = request.routeOptions
    if (config.declaredRefusals && route) {
      const { traceparent } = request.headers
      const span = tracing.start({
        name: `${request.method} ${route}`,
        kind: 'server',
        parent: typeof traceparent === 'string' ? traceparent : null,
        attributes: { 'http.request.method': request.method, 'http.route': route },
      })
      spans.set(request, span)
      request.traceparent = span.traceparent
    }
    next()
  })
  app.addHook('onResponse', (request, { statusCode }, next) => {
    const attributes = { 'http.response.status_code': statusCode, 'cotton.request.id': request.id }
    spans.get(request)?.end({ failed: statusCode >= 500, attributes })
    next()
  })
}
