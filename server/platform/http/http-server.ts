import type { OutgoingHttpHeaders } from 'node:http'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { type Refusal, REFUSALS, refusalBody } from '#contract/refusals.ts'
import { Refused } from '#server/platform/answer.ts'
import { assert } from '#server/platform/assert.ts'
import { isUnavailable } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'
import { isForeign } from './origin.ts'

export type HttpSettings = {
  publicUrl: string
  /** Whose X-Forwarded-For is believed: nobody, a number of hops, or addresses. */
  trustProxy: false | number | string[]
  limited: boolean
}

const BODY_LIMIT_BYTES = 16 * 1024

// A request has 8 s to arrive, its headers 5 s. The order matters: Node swaps a request limit that is below the
// limit for headers, and looks for late ones only every 30 s unless told otherwise.
const LIMITS = { requestTimeout: 8_000, headersTimeout: 5_000, connectionsCheckingInterval: 1_000 }

/** An HTTP server that knows no route yet: limits, security headers, refusals in one form. */
export async function createHttpServer(settings: HttpSettings, log: Log): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: trustOf(settings.trustProxy),
    requestTimeout: LIMITS.requestTimeout,
    keepAliveTimeout: 72_000,
    http: {
      headersTimeout: LIMITS.headersTimeout,
      connectionsCheckingInterval: LIMITS.connectionsCheckingInterval,
      maxHeaderSize: 16 * 1024,
    },
    routerOptions: { maxParamLength: 100 },
    return503OnClosing: true,
    forceCloseConnections: true,
  })
  const secured = await headersOf(securityHeaders(settings))
  app.addHook('onRequest', (request, reply, next) => {
    void reply.headers(secured)
    next(
      isForeign(request, settings.publicUrl) ? new Refused({ code: 'foreign_origin', facts: {} }) : undefined,
    )
  })
  if (settings.limited) {
    await app.register(rateLimit, {
      global: false,
      errorResponseBuilder: (_request, { ttl }) =>
        new Refused({ code: 'too_many_requests', facts: { seconds: Math.ceil(ttl / 1_000) } }),
    })
  }
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const refusal = refusalOf(error)
    if (REFUSALS[refusal.code].status >= 500 && refusal.code !== 'withdrawals_paused') {
      request.log.error(
        { err: error, method: request.method, path: request.routeOptions.url },
        'a call failed',
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

// A hop counts from this server outwards: with one trusted hop, the address that it names is the caller's.
function trustOf(proxy: HttpSettings['trustProxy']): FastifyServerOptions['trustProxy'] {
  return typeof proxy === 'number' ? (_address, hop) => hop < proxy : proxy
}

/** What helmet says to every call, asked once: it is the same for all, and worked out anew it is a tenth of a call. */
async function headersOf(options: Parameters<typeof helmet>[1]): Promise<OutgoingHttpHeaders> {
  const app = Fastify()
  await app.register(helmet, options)
  let headers: OutgoingHttpHeaders = {}
  app.get('/', async (_request, reply) => {
    headers = { ...reply.raw.getHeaders() }
    return ''
  })
  await app.inject('/')
  await app.close()
  assert(headers['content-security-policy'], 'helmet has its say')
  return headers
}

function securityHeaders({ publicUrl }: HttpSettings): Parameters<typeof helmet>[1] {
  const secure = publicUrl.startsWith('https:')
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        mediaSrc: ["'self'"],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ["'none'"],
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  }
}

/** What the caller is told of an error. Whatever is not expected stays in the log. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Refused) return error.refusal
  const { code, statusCode } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413) return { code: 'too_large', facts: {} }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return { code: 'wrong_media_type', facts: {} }
  if (isUnavailable(error)) return { code: 'busy', facts: {} }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return { code: 'malformed', facts: { field: 'request', problem: 'is not valid JSON or not valid HTTP' } }
  }
  return { code: 'unexpected', facts: {} }
}
