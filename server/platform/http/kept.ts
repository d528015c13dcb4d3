import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Headers } from './security-headers.ts'

// A short text leaves in one piece with its headers; a long one costs more to join to them than to send behind them.
const SHORT = 4096

/** The heads of an answer: where it is given, and where the client has it. */
type Heads = { over: Headers; given: Headers; current: Headers }

/**
 * An answer that everybody gets, made once and kept as what travels. Equal answers have equal tags in every process,
 * so a client may ask any of them whether it is still current.
 */
export class Kept<Reply> {
  readonly reply: Reply
  readonly payload: string | Buffer
  readonly etag: string
  readonly headers: Headers
  #heads: Heads | null = null

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

  /** Its heads on a server that says this on every answer. */
  headsOver(common: Headers): Heads {
    if (this.#heads?.over === common) return this.#heads
    const { 'cache-control': cacheControl, etag } = this.headers
    this.#heads = {
      over: common,
      given: { ...common, ...this.headers },
      current: { ...common, 'cache-control': cacheControl!, etag: etag! },
    }
    return this.#heads
  }
}

/**
 * Sends the answer, or 304 to a client that has it. The client keeps it, and asks each time. It is written beside
 * Fastify, which would look at each header and at the type of what is known already.
 */
export function sendKept(request: FastifyRequest, reply: FastifyReply, kept: Kept<unknown>): FastifyReply {
  const { given, current } = kept.headsOver(request.server.dataHeaders)
  const asked = request.headers['if-none-match']
  void reply.hijack()
  if (asked !== undefined && holds(asked, kept.etag)) reply.raw.writeHead(304, current).end()
  else reply.raw.writeHead(200, given).end(kept.payload)
  return reply
}

function holds(asked: string, etag: string): boolean {
  if (asked === etag) return true
  const tags = asked.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
