import { once } from 'node:events'
import { connect } from 'node:net'

/** Longer than the time limit that the tests set. */
const PATIENCE_MS = 4_000

/**
 * Sends the headers of a request byte by byte, and never their end. Returns what was answered before the connection was closed;
 * rejects if it stays open.
 */
export async function sendSlowly(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  socket.write('GET /api/site HTTP/1.1\r\nHost: 127.0.0.1\r\n')
  const sending = setInterval(() => socket.writable && socket.write('X'), 100)
  let answer = ''
  socket.setEncoding('utf8').on('data', (text) => (answer += String(text)))
  try {
    await once(socket, 'close', { signal: AbortSignal.timeout(PATIENCE_MS) })
  } finally {
    clearInterval(sending)
    socket.destroy()
  }
  return answer
}
