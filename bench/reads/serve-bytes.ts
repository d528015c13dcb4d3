// The base of the reads: a bare Fastify that answers what it was given, and does nothing else.
import { fastify, type FastifyReply } from 'fastify'

/** What a path answers; without a body, that the client has it already. */
export type Bytes = { path: string; type: string; body: string | null; headers?: Record<string, string> }

process.once('message', async (served: readonly Bytes[]) => {
  const app = fastify()
  for (const { path, type, body, headers } of served) {
    const bytes = body === null ? null : Buffer.from(body)
    const answer = (reply: FastifyReply) =>
      bytes === null ? reply.status(304).send() : reply.type(type).send(bytes)
    app.get(path, (_request, reply) => answer(headers ? reply.headers(headers) : reply))
  }
  process.once('disconnect', () => void app.close())
  process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
})
process.send?.('ready')
