import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesEtag } from './matches-etag.ts'
import type { Headers } from './security-headers.ts'

// A short body is joined to its headers and sent in one write. Joining a long one costs more than a second write.
const MAX_TEXT_BYTES = 4096

/** The head of the 200 response, and of the 304 response. */
type CachedHeaders = { base: Headers; ok: Headers; notModified: Headers }

/**
 * A public response, serialised once. Equal responses have equal ETags in every process, so a client can revalidate its
 * copy with any of them.
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

  /** The heads with the headers that this server sends with every response. */
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
 * Sends the response, or 304 to a client that has it. Clients may store it but must revalidate it each time. It bypasses
 * Fastify's reply, which would process headers and content type that are already known.
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
