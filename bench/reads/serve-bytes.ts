// The baseline of the reads suite: a bare Fastify handler that returns fixed bytes.
import { fastify } from 'fastify'

/** The response of a path; without a body, 304. */
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
