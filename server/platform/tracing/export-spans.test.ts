import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { openTracing } from './tracing.ts'

test('a receiver of spans that does not answer delays a stop by a second, and not by ten', async () => {
  const sockets: Socket[] = []
  const silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => {
    silent.listen(0, '127.0.0.1', resolve)
  })
  const { port } = silent.address() as AddressInfo
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${port}`)
  try {
    const tracing = (await openTracing('test', process.env))!
    tracing.start({ name: 'a span', parent: null }).end()
    const startedAt = performance.now()
    await tracing.stop()
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  } finally {
    vi.unstubAllEnvs()
    silent.close()
    for (const socket of sockets) socket.destroy()
  }
})
