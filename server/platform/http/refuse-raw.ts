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

/** Refuses bytes that are not a request, unless a response has been started, and closes the connection. */
export function refuseInvalidBytes(error: RequestError, socket: Socket, dataHeaders: Headers): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const pendingResponse = (socket as Socket & { _httpMessage?: ServerResponse })['_httpMessage']
  if (socket.writable && pendingResponse?.headersSent !== true) {
    const { status, headers, text } = rawResponse(refusalOf(error), dataHeaders)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`)
  }
  socket.destroy(error as Error)
}

/** Refuses an unknown `Expect` header. */
export function refuseExpectations(app: FastifyInstance, dataHeaders: Headers): void {
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, text } = rawResponse({ code: 'expectation_unknown', facts: {} }, dataHeaders)
    response.writeHead(status, headers).end(text)
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
