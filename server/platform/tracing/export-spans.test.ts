import { type AddressInfo, createServer, type Socket } from 'node:net'
import { TracerProvider } from '@opentelemetry/sdk-trace'
import { expect, test, vi } from 'vitest'
import { openTracing } from './tracing.ts'

test('a stop does not wait until the exporter gives up on a receiver that does not answer', async () => {
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
    const shutdown = vi.spyOn(TracerProvider.prototype, 'shutdown')
    await tracing.stop()
    // The exporter still tries to send.
    expect(shutdown.mock.settledResults).toMatchObject([{ type: 'incomplete' }])
  } finally {
    vi.unstubAllEnvs()
    silent.close()
    for (const socket of sockets) socket.destroy()
  }
})

test('a sampler that does not exist is refused', async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_TRACES_SAMPLER: 'sometimes' }
  await expect(openTracing('test', env)).rejects.toThrow(/^OTEL_TRACES_SAMPLER is "sometimes"/)
})
