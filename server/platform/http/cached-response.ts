import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Headers } from './security-headers.ts'

// A short text leaves in one piece with its headers; a long one costs more to join to them than to send behind them.
const MAX_TEXT_BYTES = 4096

/** The heads of an answer: where it is given, and where the client has it. */
type CachedHeaders = { base: Headers; ok: Headers; notModified: Headers }

/**
 * An answer that everybody gets, made once and kept as what travels. Equal answers have equal tags in every process,
 * so a client may ask any of them whether it is still current.
 */
export class CachedResponse<Reply> {
  readonly reply: Reply
  readonly payload: string | Buffer
  readonly etag: string
  readonly headers: Headers
  #cachedHeaders: CachedHeaders | null = null

  constructor(reply: Reply) {
    this.reply = reply
    const text = JSON.stringify(reply)
    const bytes = Buffer.from(text)
    this.payload = bytes.length > MAX_TEXT_BYTES ? bytes : text
    this.etag = `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`
    this.headers = {
      'cache-control': 'no-cache',
      etag: this.etag,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(bytes.length),
    }
  }

  /** Its heads on a server that says this on every answer. */
  headersFor(common: Headers): CachedHeaders {
    if (this.#cachedHeaders?.base === common) return this.#cachedHeaders
    const { 'cache-control': cacheControl, etag } = this.headers
    this.#cachedHeaders = {
      base: common,
      ok: { ...common, ...this.headers },
      notModified: { ...common, 'cache-control': cacheControl!, etag: etag! },
    }
    return this.#cachedHeaders
  }
}

/**
 * Sends the answer, or 304 to a client that has it. The client keeps it, and asks each time. It is written beside
 * Fastify, which would look at each header and at the type of what is known already.
 */
export function sendCachedResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  response: CachedResponse<unknown>,
): FastifyReply {
  const { ok, notModified } = response.headersFor(request.server.dataHeaders)
  const ifNoneMatch = request.headers['if-none-match']
  void reply.hijack()
  if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, response.etag))
    reply.raw.writeHead(304, notModified).end()
  else reply.raw.writeHead(200, ok).end(response.payload)
  return reply
}

function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag) return true
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
