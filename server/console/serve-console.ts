import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CONSOLE_REFUSALS, consoleRefusalBody } from '#contract/console/refusals.ts'
import { ACT_RIGHTS, isActKind } from '#contract/console/acts.ts'
import type { Right } from '#contract/console/rights.ts'
import type { ConsoleCall, ConsoleRateClass, ConsoleReply, ConsoleRoute } from '#contract/console/route.ts'
import { findOperator, type Operator } from '#server/operators/read-operators.ts'
import { assert } from '#server/platform/assert.ts'
import { UnknownOutcomeError } from '#server/platform/db/db.ts'
import { CsvDownload, sendCsv } from '#server/platform/http/csv-download.ts'
import { createQueryReader, parseOrRefuse } from '#server/platform/http/parse.ts'
import { errorCode } from '#server/platform/startup-error.ts'
import type { ConsoleDeps } from './console-deps.ts'
import { ConsoleRefused, refuseCall } from './refuse.ts'
import { type ConsoleSession, endSession, findSession } from './sessions.ts'

/** Who calls: an operator of the file, in a session. */
export type Caller = { operator: Operator; session: ConsoleSession }

/** The input of a handler. `caller` is there unless the route needs nobody. */
export type ConsoleInput<R extends ConsoleRoute> = ConsoleCall<R> & { caller: Caller }

export type ServeConsole = <R extends ConsoleRoute>(
  route: R,
  handler: (input: ConsoleInput<R>) => Promise<ConsoleReply<R> | CsvDownload>,
) => void

// Calls in ten seconds from one address. An operator's page polls every three seconds; an office has one address.
const CALLS_PER_WINDOW: Readonly<Record<ConsoleRateClass, number>> = {
  read: 200,
  login: 20,
  act: 30,
  export: 3,
}
const WINDOW_MS = 10_000

/** Polls that renewed a session would keep a page that nobody uses logged in. */
const NO_USE = '/api/console/live'

/** Creates `serve` for the console: each call is authenticated, its right is checked, and then it is parsed and handled. */
export function createConsoleServe(
  app: FastifyInstance,
  deps: ConsoleDeps,
): { serve: ServeConsole; served: ReadonlySet<ConsoleRoute> } {
  const served = new Set<ConsoleRoute>()
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  const serve: ServeConsole = (route, handler) => {
    served.add(route)
    const readQuery = route.query && createQueryReader(route.query)
    const max = CALLS_PER_WINDOW[route.rateClass]
    app.route({
      method: route.method,
      url: route.path,
      ...(deps.config.rateLimits && { config: { rateLimit: { max, timeWindow: WINDOW_MS } } }),
      handler: async (request, reply) => {
        const caller = route.right === 'nobody' ? null : await authenticate(deps, request)
        if (caller) requireRight(deps, caller.operator, rightFor(route, request.body))
        const call = {
          query: readQuery?.(request),
          body: route.body ? parseOrRefuse(route.body, request.body) : undefined,
          caller,
        }
        const result = await handler(call as unknown as ConsoleInput<typeof route>)
        if (result instanceof CsvDownload) return sendCsv(reply, result)
        return reply.header('cache-control', 'no-store').send(result)
      },
    })
  }
  return { serve, served }
}

async function authenticate(deps: ConsoleDeps, request: FastifyRequest): Promise<Caller> {
  // Only a header that a page sets itself: no other site can make a browser send it.
  const token = /^Bearer ([\w-]{43})$/.exec(request.headers.authorization ?? '')?.[1]
  const session = token && (await findSession(deps, token, { isUse: request.routeOptions.url !== NO_USE }))
  if (!session) refuseCall('not_logged_in')
  const operators = deps.operators()
  const operator = findOperator(operators, session.wallet, 'view')
  // Also if the file names the wallet again. While the file is broken, nobody is an operator and no session ends.
  if (!operator && operators.problem === null)
    await endSession(deps.db, { tokenHash: session.tokenHash, now: deps.clock.now() })
  if (!operator) refuseCall('not_an_operator')
  return { operator, session }
}

/** The right that a call needs. An act of an unknown kind needs `view` only: it is refused when it is parsed. */
function rightFor({ right }: ConsoleRoute, body: unknown): Right {
  assert(right !== 'nobody', 'routes for nobody need no right')
  if (right !== 'by_act') return right
  const kind = readKind(body)
  return kind !== null && isActKind(kind) ? ACT_RIGHTS[kind] : 'view'
}

function readKind(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('act' in body)) return null
  const { act } = body
  return typeof act === 'object' && act !== null && 'kind' in act && typeof act.kind === 'string'
    ? act.kind
    : null
}

function requireRight({ operators, log }: ConsoleDeps, { wallet, name }: Operator, right: Right): void {
  if (findOperator(operators(), wallet, right)) return
  log.warn({ wallet, operator: name, right }, 'an operator lacks the right for a call')
  refuseCall('right_missing', { right })
}

/** Answers the refusals of the console. The server answers all other errors. */
function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refused = toRefused(error)
  if (!refused) throw error
  const { status } = CONSOLE_REFUSALS[refused.refusal.code]
  return reply
    .status(status)
    .header('cache-control', 'no-store')
    .header('x-request-id', request.id)
    .send(consoleRefusalBody(refused.refusal))
}

function toRefused(error: unknown): ConsoleRefused | null {
  if (error instanceof ConsoleRefused) return error
  if (error instanceof UnknownOutcomeError) return new ConsoleRefused({ code: 'unknown_outcome', facts: {} })
  // Postgres could not read a value of a cursor that somebody has changed.
  if (errorCode(error).startsWith('22'))
    return new ConsoleRefused({ code: 'malformed', facts: { field: 'cursor', problem: 'is not a cursor' } })
  return null
}
