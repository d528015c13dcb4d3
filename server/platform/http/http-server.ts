import type { IncomingMessage } from 'node:http'
import rateLimit from '@fastify/rate-limit'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { type Refusal, type RefusalCode, REFUSALS, refusalBody } from '#contract/refusals.ts'
import { Refused } from '#server/platform/answer.ts'
import { isDatabaseUnavailable } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'
import { callerOf, type TrustProxy, createTrustCheck } from './caller-address.ts'
import { finishRequests } from './finish-requests.ts'
import { limitConnections, type SocketLimits, socketLimits, UNLIMITED } from './limit-connections.ts'
import { isForeignOrigin } from './origin.ts'
import { refuseInvalidBytes, refuseExpectations, refuseUnrouted } from './refuse-raw.ts'
import { type Headers, securityHeaders } from './security-headers.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The security headers of an answer that is data. */
    dataHeaders: Headers
    socketLimits: SocketLimits
    /** The address of whoever asks for a WebSocket, which is no call to Fastify. */
    callerOf(request: IncomingMessage): string
    /** Since when the server says that it is about to end; it still answers. */
    drainingSince: Date | null
  }
  interface FastifyContextConfig {
    /** The codes that a route of the contract may refuse with. Any other code is a bug and is answered as one. */
    declaredRefusals?: ReadonlySet<RefusalCode>
  }
}

export type HttpSettings = {
  publicUrl: string
  trustProxy: TrustProxy
  limited: boolean
  /** How long calls that are being answered may take when the server closes. */
  finishMs?: number
  /** How long a connection may rest in the middle of a call: one whose client does not read is closed then. */
  stalledMs?: number
}

const BODY_LIMIT_BYTES = 16 * 1024

// A request has 8 s to arrive, its headers 5 s. The order matters: Node swaps a request limit that is below the
// limit for headers, and looks for late ones only every 30 s unless told otherwise.
const LIMITS = { requestTimeout: 8_000, headersTimeout: 5_000, connectionsCheckingInterval: 1_000 }

const FINISH_MS = 5_000
// Longer than any call may wait for the database or the chain.
const STALLED_MS = 60_000

/** An HTTP server that knows no route yet: limits, security headers, refusals in one form. */
export async function createHttpServer(settings: HttpSettings, log: Log): Promise<FastifyInstance> {
  const { pageHeaders, dataHeaders } = await securityHeaders(settings)
  const isTrusted = createTrustCheck(settings.trustProxy)
  const app = Fastify({
    // Fastify warns of a call in our log. Were the log its own, it would make one for every call and follow each to its end.
    childLoggerFactory: () => log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: settings.trustProxy === false ? false : isTrusted,
    connectionTimeout: settings.stalledMs ?? STALLED_MS,
    requestTimeout: LIMITS.requestTimeout,
    keepAliveTimeout: 72_000,
    http: {
      headersTimeout: LIMITS.headersTimeout,
      connectionsCheckingInterval: LIMITS.connectionsCheckingInterval,
      maxHeaderSize: 16 * 1024,
    },
    routerOptions: { maxParamLength: 100 },
    frameworkErrors: (error, _request, reply) => refuseUnrouted(error, reply, dataHeaders),
    clientErrorHandler: (error, socket) => refuseInvalidBytes(error, socket, dataHeaders),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  })
  refuseExpectations(app, dataHeaders)
  app.decorate('dataHeaders', dataHeaders)
  app.decorate('socketLimits', settings.limited ? socketLimits() : UNLIMITED)
  app.decorate('callerOf', (request: IncomingMessage) => callerOf(request, isTrusted))
  app.decorate('drainingSince', null)
  app.decorate('alsoListening', [])
  if (settings.limited) limitConnections(app.server, { direct: settings.trustProxy === false })
  finishRequests(app, {
    finishMs: settings.finishMs ?? FINISH_MS,
    isDraining: () => app.drainingSince !== null,
  })
  app.addHook('onRequest', (request, _reply, next) => {
    const foreign = isForeignOrigin(request, settings.publicUrl)
    next(foreign ? new Refused({ code: 'foreign_origin', facts: {} }) : undefined)
  })
  // Whatever is sent passes here, but what was made beforehand, which has these in it.
  app.addHook('onSend', (request, reply, payload, next) => {
    // Under /api there is no page, not even where nothing is found.
    void reply.headers(request.url.startsWith('/api/') ? dataHeaders : pageHeaders)
    next(null, payload)
  })
  if (settings.limited) {
    await app.register(rateLimit, {
      global: false,
      // What is left is told to nobody: an answer made beforehand is the same for all.
      addHeadersOnExceeding: {
        'x-ratelimit-limit': false,
        'x-ratelimit-remaining': false,
        'x-ratelimit-reset': false,
      },
      errorResponseBuilder: (_request, { ttl }) =>
        new Refused({ code: 'too_many_requests', facts: { seconds: Math.ceil(ttl / 1_000) } }),
    })
  }
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const { declaredRefusals } = request.routeOptions.config
    const undeclared = error instanceof Refused && declaredRefusals?.has(error.refusal.code) === false
    const refusal: Refusal = undeclared ? { code: 'unexpected', facts: {} } : refusalOf(error)
    if (wasAborted(request)) request.log.debug({ path: request.routeOptions.url }, 'a client hung up')
    else if (REFUSALS[refusal.code].status >= 500 && refusal.code !== 'withdrawals_paused') {
      request.log.error(
        { err: error, method: request.method, path: request.routeOptions.url },
        undeclared ? 'a route refused with a code that it does not declare' : 'a call failed',
      )
    }
    if (refusal.code === 'busy') reply.header('retry-after', '1')
    return reply
      .status(REFUSALS[refusal.code].status)
      .header('cache-control', 'no-store')
      .send(refusalBody(refusal))
  })
  return app
}

/** The client left before all of its request was here. */
const wasAborted = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete

/** What the caller is told of an error. Whatever is not expected stays in the log. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Refused) return error.refusal
  const { code, statusCode } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413) return { code: 'too_large', facts: {} }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return { code: 'wrong_media_type', facts: {} }
  if (isDatabaseUnavailable(error)) return { code: 'busy', facts: {} }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return { code: 'malformed', facts: { field: 'request', problem: 'is not valid JSON or not valid HTTP' } }
  }
  return { code: 'unexpected', facts: {} }
}
