import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import type { ServerMessage } from '#contract/realtime.ts'
import { openSocket, socketUrl } from '#tests/support/test-socket.ts'
import { waitFor } from '#tests/support/run-server.ts'
import { encodeFrame } from './encode-frame.ts'

/** An error message with this encoded length. */
function messageOf(bytes: number): ServerMessage {
  const message = { type: 'error' as const, data: { code: 'malformed' as const, message: '' } }
  message.data.message = 'x'.repeat(bytes - JSON.stringify(message).length)
  return message
}

test('an independent client reads frames of every length', async () => {
  // Around the limits between length fields of one, two and eight bytes.
  const messages = [100, 125, 126, 127, 128, 255, 256, 65_535, 65_536, 200_000, 100].map(messageOf)
  const server = createServer()
  const wss = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  server.on('upgrade', (request, stream, head) =>
    wss.handleUpgrade(request, stream, head, () => {
      for (const message of messages) stream.write(encodeFrame(message))
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = await openSocket(socketUrl(server))
  await waitFor('all of them', () => client.received.length === messages.length)
  expect(client.received).toEqual(messages)
  client.socket.terminate()
  server.close()
})
