import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { Call, ReplyOf, Route } from '#contract/route.ts'
import { refuse } from '#server/platform/answer.ts'
import { assert } from '#server/platform/assert.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { CachedResponse, sendCachedResponse } from './cached-response.ts'
import { declaredRefusals } from './declared-refusals.ts'
import { parseOrRefuse, createQueryReader } from './parse.ts'
import { limitOf } from './rate-limits.ts'

/** The player behind a call: the session's wallet, and the hash under which its token is known. */
export type Player = { wallet: string; tokenHash: Buffer; revalidation?: SessionRevalidation }

/** The session was seen a moment ago and has to be asked for again, in the transaction that acts for its player. */
export type SessionRevalidation = {
  /** Whether all of these sessions are alive. Nothing may be committed where they are not. */
  areActive(tx: Tx, players: readonly Player[]): Promise<boolean>
  /** Set by whoever has asked. */
  revalidated: boolean
}

/** An `Idempotency-Key` with the hash of the body it came with; null where the caller sent none. */
export type CallKey = { route: string; key: string; bodyHash: Buffer } | null

/** What a handler is given: the parsed parts of the call, and who calls. */
export type HandlerInput<R extends Route> = Call<R> & {
  player: R['auth'] extends 'player' ? Player : Player | null
  key: CallKey
}

/** Binds a handler to a declared route. One that `confirms` hands its player on to be confirmed with what it does. */
export type Serve = <R extends Route>(
  route: R,
  handler: (
    input: HandlerInput<R>,
  ) => CachedResponse<ReplyOf<R>> | Promise<ReplyOf<R> | CachedResponse<ReplyOf<R>>>,
  options?: { revalidates?: boolean },
) => void

/** The reply of a call that did what it was asked. */
export function ok<Reply extends object>(reply: Reply): Reply & { success: true } {
  return { success: true, ...reply }
}

/**
 * Finds the player of a token; refuses with not_authenticated where there is none. Only for a handler that confirms it
 * may be one whom the database has not been asked for this time.
 */
export type Authenticate = (request: FastifyRequest, revalidates: boolean) => Promise<Player>

/** Makes `serve` for one server. Every call is authenticated, then parsed, then handled; only kept answers may be cached. */
export function createServe(
  app: FastifyInstance,
  { authenticate, limited }: { authenticate: Authenticate; limited: boolean },
): Serve & { served: Set<Route> } {
  const served = new Set<Route>()
  const serve: Serve = (route, handler, { revalidates = false } = {}) => {
    served.add(route)
    const readQuery = route.query && createQueryReader(route.query)
    const respond = (request: FastifyRequest, reply: FastifyReply, player: Player | null) => {
      const call = {
        params: route.params ? parseOrRefuse(route.params, request.params) : undefined,
        query: readQuery?.(request),
        body: route.body ? parseOrRefuse(route.body, request.body) : undefined,
      }
      const key = route.keyed ? keyOf(request, route) : null
      const input = { ...call, player, key } as HandlerInput<typeof route>
      const result = handler(input)
      if (result instanceof CachedResponse) return void sendCachedResponse(request, reply, result)
      return result.then((resolved) => {
        assert(player?.revalidation?.revalidated !== false, 'whoever confirms its player has done so')
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
      // Where there is nothing to wait for, as with what everybody reads, the call is answered at once.
      handler: (request: FastifyRequest, reply: FastifyReply) => {
        const needsPlayer = route.auth === 'player' || (route.auth === 'either' && hasToken(request))
        if (needsPlayer)
          return authenticate(request, revalidates).then((player) => respond(request, reply, player))
        return respond(request, reply, null)
      },
    })
  }
  return Object.assign(serve, { served })
}

function hasToken({ headers }: FastifyRequest): boolean {
  return headers['x-auth-token'] !== undefined || headers.authorization !== undefined
}

function keyOf(request: FastifyRequest, route: Route): CallKey {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || !/^[\x21-\x7e]{8,128}$/.test(key)) refuse('key_malformed')
  // The path's parameters are part of what was asked.
  const payload = { params: request.params, body: request.body ?? null }
  return { route: route.path, key, bodyHash: hash('sha256', canonicalJson(payload), 'buffer') }
}

// The same fields in another order are the same request.
function canonicalJson(payload: unknown): string {
  if (payload === null || typeof payload !== 'object') return JSON.stringify(payload)
  if (Array.isArray(payload)) return `[${payload.map(canonicalJson).join()}]`
  const fields = Object.keys(payload).toSorted()
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonicalJson((payload as Record<string, unknown>)[name])}`).join()}}`
}
