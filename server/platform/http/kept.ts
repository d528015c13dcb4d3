import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * An answer that everybody gets, made once and kept as the bytes that travel. Equal answers have equal tags in every
 * process, so a client may ask any of them whether it is still current.
 */
export class Kept<Reply> {
  readonly reply: Reply
  readonly bytes: Buffer
  readonly etag: string

  constructor(reply: Reply) {
    this.reply = reply
    this.bytes = Buffer.from(JSON.stringify(reply))
    this.etag = `"${createHash('sha256').update(this.bytes).digest('base64url').slice(0, 22)}"`
  }
}

/** Sends the bytes, or 304 to a client that has them. The client keeps them, and asks each time. */
export function sendKept(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag }: Kept<unknown>,
): FastifyReply {
  void reply.header('cache-control', 'no-cache').header('etag', etag)
  const held = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  if (held.includes(etag) || held.includes('*')) return reply.status(304).send()
  return reply.type('application/json; charset=utf-8').send(bytes)
}
