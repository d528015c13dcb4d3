// The base of the reads: a bare Fastify that answers what it was given, and does nothing else.
import { fastify } from 'fastify'

/** What a path answers; without a body, that the client has it already. */
export type Bytes = { path: string; type: string; body: string | null }

process.once('message', async (served: readonly Bytes[]) => {
  const app = fastify()
  for (const { path, type, body } of served) {
    const bytes = body === null ? null : Buffer.from(body)
    app.get(path, (_request, reply) =>
      bytes === null ? reply.status(304).send() : reply.type(type).send(bytes),
    )
  }
  process.once('disconnect', () => void app.close())
  process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
})
process.send?.('ready')
