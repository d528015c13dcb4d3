import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Refusal, REFUSALS, refusalBody } from '#contract/refusals.ts'
import type { Headers } from './security-headers.ts'

type RequestError = { code?: string }

/** The refusal of an unreadable request, by the error code of Node's parser or of the router. */
function refusalOf({ code }: RequestError): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return { code: 'headers_too_large', facts: {} }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { code: 'too_slow', facts: {} }
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return { code: 'address_too_long', facts: {} }
  return { code: 'malformed', facts: { field: 'request', problem: 'is not valid HTTP' } }
}

/** Refuses a request that the router cannot read, in the format of every other refusal. */
export function refuseUnrouted(error: RequestError, reply: FastifyReply, dataHeaders: Headers): void {
  const refusal = refusalOf(error)
  void reply
    .status(REFUSALS[refusal.code].status)
    .headers({ ...dataHeaders, 'cache-control': 'no-store' })
    .send(refusalBody(refusal))
}

/**
 * Refuses bytes that are not a request, unless a response has been started, and closes the connection. Thousands of silent
 * connections may end in the same second, so each response is written once.
 */
export function createBytesRefuser(dataHeaders: Headers): (error: RequestError, socket: Socket) => void {
  const responses = new Map<Refusal['code'], string>()
  const responseOf = (refusal: Refusal): string => {
    const known = responses.get(refusal.code)
    if (known !== undefined) return known
    const { status, headers, text } = rawResponse(refusal, dataHeaders)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const written = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`
    responses.set(refusal.code, written)
    return written
  }
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    const pendingResponse = (socket as Socket & { _httpMessage?: ServerResponse })['_httpMessage']
    if (socket.writable && pendingResponse?.headersSent !== true)
      socket.write(responseOf(refusalOf(error)), 'latin1')
    socket.destroy(error as Error)
  }
}

/** Refuses an unknown `Expect` header. */
export function refuseExpectations(app: FastifyInstance, dataHeaders: Headers): void {
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, text } = rawResponse({ code: 'expectation_unknown', facts: {} }, dataHeaders)
    response.writeHead(status, headers).end(text)
  })
}

/** Refuses a request of HTTP/1.1 without a host (RFC 9112, 3.2), whatever its route declares. */
export function refuseMissingHosts(app: FastifyInstance, dataHeaders: Headers): void {
  app.addHook('onRequest', ({ raw, headers: sent }, reply, next) => {
    if (sent.host !== undefined || raw.httpVersion !== '1.1') return next()
    const refusal: Refusal = { code: 'malformed', facts: { field: 'Host', problem: 'is missing' } }
    const { status, headers, text } = rawResponse(refusal, dataHeaders)
    reply.hijack()
    reply.raw.writeHead(status, headers).end(text)
  })
}

function rawResponse(refusal: Refusal, dataHeaders: Headers) {
  const text = JSON.stringify(refusalBody(refusal))
  return {
    status: REFUSALS[refusal.code].status,
    text,
    headers: {
      ...dataHeaders,
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(text)),
      connection: 'close',
    },
  }
}
