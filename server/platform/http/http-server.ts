import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { RefusalCode } from '#contract/refusals.ts'
import { Refused } from '#server/platform/answer.ts'
import type { Log } from '#server/platform/log.ts'
import { answerErrors } from './answer-errors.ts'
import { callerOf, type TrustProxy, createTrustCheck } from './caller-address.ts'
import { finishRequests } from './finish-requests.ts'
import { leaveLargeBodies } from './leave-bodies.ts'
import { limitConnections, type SocketLimits, socketLimits, UNLIMITED } from './limit-connections.ts'
import { isForeignOrigin } from './origin.ts'
import { queueRequests } from './queue-requests.ts'
import { createCallerNames } from './rate-limits.ts'
import { createBytesRefuser, refuseExpectations, refuseMissingHosts, refuseUnrouted } from './refuse-raw.ts'
import { pathAndQuery } from './request-target.ts'
import { type Headers, securityHeaders } from './security-headers.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The security headers of responses that are data. */
    dataHeaders: Headers
    socketLimits: SocketLimits
    /** The caller's address of a WebSocket upgrade, which Fastify does not handle. */
    callerOf(request: IncomingMessage): string
    /** Since when the server reports that it is draining. It still serves requests. */
    drainingSince: Date | null
    /** Asks the players behind WebSockets to connect elsewhere, evenly over this time. */
    moveSockets(overMs: number): Promise<void>
  }
  interface FastifyRequest {
    /** The span of the request, if it is traced. */
    traceparent: string | null
  }
  interface FastifyContextConfig {
    /** The codes that a route may refuse with. Another code is a bug and is answered as `unexpected`. */
    declaredRefusals?: ReadonlySet<RefusalCode>
  }
}

export type HttpSettings = {
  publicUrl: string
  trustProxy: TrustProxy
  limited: boolean
  /** How long requests in flight may take when the server closes. */
  finishMs?: number
  /** How long a connection may be idle during a request. It closes connections whose client does not read. */
  stalledMs?: number
}

const BODY_LIMIT_BYTES = 16 * 1024

// A request has 8 s to arrive, its headers 5 s. Node swaps the two if the first is below the second. All connections that
// are late when it checks are refused at once, and requests wait meanwhile: with seldom checks thousands are.
const LIMITS = { requestTimeout: 8_000, headersTimeout: 5_000, connectionsCheckingInterval: 25 }

const FINISH_MS = 5_000
// Longer than any request may wait for the database or the chain.
const STALLED_MS = 60_000

/** An HTTP server without routes: limits, security headers, and refusals in one format. */
export async function createHttpServer(settings: HttpSettings, log: Log): Promise<FastifyInstance> {
  const { pageHeaders, dataHeaders } = await securityHeaders(settings)
  const isTrusted = createTrustCheck(settings.trustProxy)
  const app: FastifyInstance = Fastify({
    // Fastify's own logger would create a child logger for every request and observe the end of each.
    childLoggerFactory: () => log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: settings.trustProxy === false ? false : isTrusted,
    connectionTimeout: settings.stalledMs ?? STALLED_MS,
    requestTimeout: LIMITS.requestTimeout,
    keepAliveTimeout: 72_000,
    http: {
      headersTimeout: LIMITS.headersTimeout,
      connectionsCheckingInterval: LIMITS.connectionsCheckingInterval,
      maxHeaderSize: 16 * 1024,
      // Node would answer a request without a host in a format of its own.
      requireHostHeader: false,
      // A client that offers another protocol, as Java and curl do with HTTP/2, is answered by the route.
      shouldUpgradeCallback: (request: IncomingMessage) =>
        request.headers.upgrade?.toLowerCase() === 'websocket' && app.server.listenerCount('upgrade') > 0,
    },
    routerOptions: { maxParamLength: 100 },
    rewriteUrl: ({ url }) => pathAndQuery(url!),
    frameworkErrors: (error, _request, reply) => refuseUnrouted(error, reply, dataHeaders),
    clientErrorHandler: createBytesRefuser(dataHeaders),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  })
  refuseExpectations(app, dataHeaders)
  app.decorate('dataHeaders', dataHeaders)
  app.decorate('socketLimits', settings.limited ? socketLimits() : UNLIMITED)
  app.decorate('callerOf', (request: IncomingMessage) => callerOf(request, isTrusted))
  app.decorate('drainingSince', null)
  app.decorate('moveSockets', () => Promise.resolve())
  app.decorateRequest('traceparent', null)
  app.decorate('alsoListening', [])
  leaveLargeBodies(app.server, BODY_LIMIT_BYTES)
  if (settings.limited) limitConnections(app.server, { direct: settings.trustProxy === false })
  queueRequests(app)
  finishRequests(app, {
    finishMs: settings.finishMs ?? FINISH_MS,
    isDraining: () => app.drainingSince !== null,
  })
  refuseMissingHosts(app, dataHeaders)
  app.addHook('onRequest', (request, _reply, next) => {
    const foreign = isForeignOrigin(request, settings.publicUrl)
    next(foreign ? new Refused({ code: 'foreign_origin', facts: {} }) : undefined)
  })
  // Every response passes here, except cached ones, which include these headers.
  app.addHook('onSend', (request, reply, payload, next) => {
    // Responses under /api are never pages, also for unknown paths.
    void reply.headers(request.url.startsWith('/api/') ? dataHeaders : pageHeaders)
    next(null, payload)
  })
  if (settings.limited) {
    await app.register(rateLimit, {
      global: false,
      keyGenerator: createCallerNames(),
      // The remaining calls are not sent: a cached response is the same for everyone.
      addHeadersOnExceeding: {
        'x-ratelimit-limit': false,
        'x-ratelimit-remaining': false,
        'x-ratelimit-reset': false,
      },
      errorResponseBuilder: (_request, { ttl }) =>
        new Refused({ code: 'too_many_requests', facts: { seconds: Math.ceil(ttl / 1_000) } }),
    })
  }
  answerErrors(app, log)
  if (log.isLevelEnabled('debug')) logRequests(app, log)
  return app
}

/** The id of a proxy in front, or a new one. It is logged, so others are ignored. */
function requestIdOf({ headers: { 'x-request-id': id } }: IncomingMessage): string {
  return typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? id : randomUUID()
}

/** Logs each answered request of a route, by the route: paths and queries can name players. */
function logRequests(app: FastifyInstance, log: Log): void {
  app.addHook('onResponse', (request, reply, next) => {
    const { id: requestId, method, routeOptions } = request
    const facts = { requestId, method, route: routeOptions.url, status: reply.statusCode }
    const tookMs = Math.round(reply.elapsedTime)
    if (facts.route) log.debug({ ...facts, tookMs }, 'a request was answered')
    next()
  })
}
