import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

// A short text leaves in one piece with its headers; a long one costs more to join to them than to send behind them.
const SHORT = 4096

/**
 * An answer that everybody gets, made once and kept as what travels. Equal answers have equal tags in every process,
 * so a client may ask any of them whether it is still current.
 */
export class Kept<Reply> {
  readonly reply: Reply
  readonly payload: string | Buffer
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>

  constructor(reply: Reply) {
    this.reply = reply
    const text = JSON.stringify(reply)
    const bytes = Buffer.from(text)
    this.payload = bytes.length > SHORT ? bytes : text
    this.etag = `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`
    this.headers = {
      'cache-control': 'no-cache',
      etag: this.etag,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(bytes.length),
    }
  }
}

/** Sends the answer, or 304 to a client that has it. The client keeps it, and asks each time. */
export function sendKept(
  request: FastifyRequest,
  reply: FastifyReply,
  { payload, etag, headers }: Kept<unknown>,
): FastifyReply {
  const asked = request.headers['if-none-match']
  if (asked !== undefined && holds(asked, etag)) {
    return reply.headers({ 'cache-control': 'no-cache', etag }).status(304).send()
  }
  return reply.headers(headers).send(payload)
}

function holds(asked: string, etag: string): boolean {
  const tags = asked.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
