import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { type Refusal, type RefusalCode, REFUSALS, refusalBody } from '#contract/refusals.ts'
import { Refused } from '#server/platform/answer.ts'
import { isDatabaseUnavailable, UnknownOutcomeError } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'

/** Refusals during an outage or an overload, which many requests meet at once. */
const OUTAGE_CODES: ReadonlySet<RefusalCode> = new Set(['busy', 'chain_unreachable'])

const OUTAGE_LOG_INTERVAL_MS = 1_000

/** Answers every error as a refusal, and logs those that are the server's own. */
export function answerErrors(app: FastifyInstance, log: Log): void {
  const logOutage = limitOutageLog(log)
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const { declaredRefusals } = request.routeOptions.config
    const undeclared = error instanceof Refused && declaredRefusals?.has(error.refusal.code) === false
    const refusal: Refusal = undeclared
      ? { code: 'unexpected', facts: {} }
      : refusalOf(error, declaredRefusals?.has('unknown_outcome') === true)
    if (wasAborted(request))
      log.debug(
        { requestId: request.id, path: request.routeOptions.url },
        'a client closed the connection early',
      )
    else if (REFUSALS[refusal.code].status >= 500 && refusal.code !== 'withdrawals_paused') {
      const facts = {
        requestId: request.id,
        err: error,
        method: request.method,
        path: request.routeOptions.url,
      }
      if (OUTAGE_CODES.has(refusal.code)) logOutage(facts)
      else
        log.error(
          facts,
          undeclared ? 'a route refused with a code that it does not declare' : 'a request failed',
        )
    }
    if (refusal.code === 'busy' || refusal.code === 'unknown_outcome') reply.header('retry-after', '1')
    return reply
      .status(REFUSALS[refusal.code].status)
      .header('cache-control', 'no-store')
      .header('x-request-id', request.id)
      .send(refusalBody(refusal))
  })
}

/**
 * Logs one failed request a second, with the number of those omitted before it. A line for each would hide other errors
 * and could fill the disk.
 */
function limitOutageLog(log: Log): (facts: object) => void {
  let nextMs = -Infinity
  let omitted = 0
  return (facts) => {
    const nowMs = performance.now()
    if (nowMs < nextMs) {
      omitted += 1
      return
    }
    log.error({ ...facts, ...(omitted > 0 && { omitted }) }, 'a request failed')
    nextMs = nowMs + OUTAGE_LOG_INTERVAL_MS
    omitted = 0
  }
}

/** The client closed the connection before its request was complete. */
const wasAborted = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete

/** The refusal that an error is answered with. Details of unexpected errors are only logged. */
function refusalOf(error: unknown, isKeyed: boolean): Refusal {
  if (error instanceof Refused) return error.refusal
  const { code, statusCode } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413) return { code: 'too_large', facts: {} }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return { code: 'wrong_media_type', facts: {} }
  if (error instanceof UnknownOutcomeError && isKeyed) return { code: 'unknown_outcome', facts: {} }
  if (isDatabaseUnavailable(error)) return { code: 'busy', facts: {} }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return { code: 'malformed', facts: { field: 'request', problem: 'is not valid JSON or not valid HTTP' } }
  }
  return { code: 'unexpected', facts: {} }
}
