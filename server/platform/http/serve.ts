import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { Call, ReplyOf, Route } from '#contract/route.ts'
import { refuse } from '#server/platform/answer.ts'
import { assert } from '#server/platform/assert.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { limitByName } from '#server/platform/limit-by-name.ts'
import { CachedResponse, sendCachedResponse } from './cached-response.ts'
import { CsvDownload, sendCsv } from './csv-download.ts'
import { declaredRefusals } from './declared-refusals.ts'
import { parseOrRefuse, createQueryReader } from './parse.ts'
import { limitOf } from './rate-limits.ts'

/** The player of a request: the session's wallet and the hash of its token. */
export type Player = { wallet: string; tokenHash: Buffer; revalidation?: SessionRevalidation }

/** Re-validates a cached session, in the transaction that acts for its player. */
export type SessionRevalidation = {
  /** Those of these players whose sessions are not active. If there are any, the transaction must not be committed. */
  findEnded(tx: Tx, players: readonly Player[]): Promise<ReadonlySet<Player>>
  /** Set by the code that has called `findEnded`. */
  revalidated: boolean
}

/** An `Idempotency-Key` with the hash of its body; null if the caller sent none. */
export type CallKey = { route: string; key: string; bodyHash: Buffer } | null

/** The input of a handler: the parsed parts of the request, and its player. */
export type HandlerInput<R extends Route> = Call<R> & {
  player: R['auth'] extends 'player' ? Player : Player | null
  key: CallKey
  /** Names the request in logs. */
  requestId: string
  /** The span of the request, if it is traced. */
  traceparent: string | null
  /** Where the call comes from. */
  client(): Client
}

/** The caller's address, behind trusted proxies too, and what its browser says it is. */
export type Client = { address: string; userAgent: string }

/**
 * Binds a handler to a declared route. A handler that `revalidates` checks a cached session in its own transaction. With
 * `fresh`, the session is read from the database, so that one that another process has just ended is refused. With `inTurn`,
 * the calls of one player to such routes run one after the other: each of their transactions would occupy a connection while
 * it waits for the one before.
 */
export type Serve = <R extends Route>(
  route: R,
  handler: (
    input: HandlerInput<R>,
  ) => CachedResponse<ReplyOf<R>> | Promise<ReplyOf<R> | CachedResponse<ReplyOf<R>> | CsvDownload>,
  options?: { revalidates?: boolean; fresh?: boolean; inTurn?: boolean },
) => void

/** How many calls of one player may wait for the one before. */
const MAX_WAITING = 100

/** A successful reply. */
export function ok<Reply extends object>(reply: Reply): Reply & { success: true } {
  return { success: true, ...reply }
}

/**
 * Finds the player of a token, or refuses with not_authenticated. With `revalidates`, the session may come from the cache.
 */
export type Authenticate = (
  request: FastifyRequest,
  options: { revalidates: boolean; fresh: boolean },
) => Promise<Player>

/** Creates `serve` for a server. Each request is authenticated, parsed and handled. Only a `CachedResponse` may be cached. */
export function createServe(
  app: FastifyInstance,
  { authenticate, limited }: { authenticate: Authenticate; limited: boolean },
): Serve & { served: Set<Route> } {
  const served = new Set<Route>()
  const runInTurn = limitByName({ maxWaiting: MAX_WAITING })
  const serve: Serve = (route, handler, { revalidates = false, fresh = false, inTurn = false } = {}) => {
    served.add(route)
    const readQuery = route.query && createQueryReader(route.query)
    const respond = (request: FastifyRequest, reply: FastifyReply, player: Player | null) => {
      const call = {
        params: route.params ? parseOrRefuse(route.params, request.params) : undefined,
        query: readQuery?.(request),
        body: route.body ? parseOrRefuse(route.body, request.body) : undefined,
      }
      const key = route.keyed ? keyOf(request, route) : null
      const client = (): Client => ({
        address: request.ip,
        userAgent: String(request.headers['user-agent'] ?? ''),
      })
      const { traceparent, id: requestId } = request
      const input = { ...call, player, key, client, requestId, traceparent } as HandlerInput<typeof route>
      const result = handler(input)
      if (result instanceof CachedResponse) return void sendCachedResponse(request, reply, result)
      return result.then((resolved) => {
        assert(
          player?.revalidation?.revalidated !== false,
          'a handler with `revalidates` has re-validated its session',
        )
        if (resolved instanceof CsvDownload) return sendCsv(reply, resolved)
        if (resolved instanceof CachedResponse) return sendCachedResponse(request, reply, resolved)
        reply.header('cache-control', 'no-store')
        return resolved
      })
    }
    const options: RouteShorthandOptions = {
      config: {
        declaredRefusals: declaredRefusals(route),
        ...(limited && { rateLimit: limitOf(route.rateClass) }),
      },
    }
    app.route({
      ...options,
      method: route.method,
      url: route.path,
      // Without `async`: a cached public response is sent synchronously.
      handler: (request: FastifyRequest, reply: FastifyReply) => {
        const needsPlayer = route.auth === 'player' || (route.auth === 'either' && hasToken(request))
        if (!needsPlayer) return respond(request, reply, null)
        const call = () =>
          authenticate(request, { revalidates, fresh }).then((player) => respond(request, reply, player))
        if (!inTurn) return call()
        // Here the wallet names the queue only. A session that ends while its call waits is refused in its turn.
        return authenticate(request, { revalidates, fresh: false }).then(({ wallet }) =>
          runInTurn(wallet, call),
        )
      },
    })
  }
  return Object.assign(serve, { served })
}

// A proxy may ask for a password of its own, which browsers then send with each call as `Authorization: Basic`.
function hasToken({ headers }: FastifyRequest): boolean {
  return headers['x-auth-token'] !== undefined || /^Bearer\b/i.test(headers.authorization ?? '')
}

function keyOf(request: FastifyRequest, route: Route): CallKey {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || !/^[\x21-\x7e]{8,128}$/.test(key)) refuse('key_malformed')
  // The path parameters are part of the request.
  const payload = { params: request.params, body: request.body ?? null }
  return { route: route.path, key, bodyHash: hash('sha256', canonicalJson(payload), 'buffer') }
}

// The order of the fields does not matter.
function canonicalJson(payload: unknown): string {
  if (payload === null || typeof payload !== 'object') return JSON.stringify(payload)
  if (Array.isArray(payload)) return `[${payload.map(canonicalJson).join()}]`
  const fields = Object.keys(payload).toSorted()
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonicalJson((payload as Record<string, unknown>)[name])}`).join()}}`
}
