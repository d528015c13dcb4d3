import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Refusal, REFUSALS, refusalBody } from '#contract/refusals.ts'
import type { Headers } from './security-headers.ts'

type Broken = { code?: string }

/** Why a request was not understood, by the code of Node's parser or of the router. */
function refusalOf({ code }: Broken): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return { code: 'headers_too_large', facts: {} }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { code: 'too_slow', facts: {} }
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return { code: 'address_too_long', facts: {} }
  return { code: 'malformed', facts: { field: 'request', problem: 'is not valid HTTP' } }
}

/** Answers a request that the router cannot read, in the form of every other refusal. */
export function refuseUnrouted(error: Broken, reply: FastifyReply, onData: Headers): void {
  const refusal = refusalOf(error)
  void reply
    .status(REFUSALS[refusal.code].status)
    .headers({ ...onData, 'cache-control': 'no-store' })
    .send(refusalBody(refusal))
}

/** Answers bytes that are no request, where nothing was answered on their connection yet, and ends it. */
export function refuseBytes(error: Broken, socket: Socket, onData: Headers): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const answering = (socket as Socket & { _httpMessage?: ServerResponse })['_httpMessage']
  if (socket.writable && answering?.headersSent !== true) {
    const { status, headers, text } = rawAnswer(refusalOf(error), onData)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`)
  }
  socket.destroy(error as Error)
}

/** Answers an `Expect` that this server does not know. */
export function refuseExpectations(app: FastifyInstance, onData: Headers): void {
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, text } = rawAnswer({ code: 'expectation_unknown', facts: {} }, onData)
    response.writeHead(status, headers).end(text)
  })
}

function rawAnswer(refusal: Refusal, onData: Headers) {
  const text = JSON.stringify(refusalBody(refusal))
  return {
    status: REFUSALS[refusal.code].status,
    text,
    headers: {
      ...onData,
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(text)),
      connection: 'close',
    },
  }
}
