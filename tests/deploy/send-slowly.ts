import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

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
  // Not `once`, which rejects with a reset: the last byte may be on its way when the other side closes.
  const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)))
  try {
    const isClosed = await Promise.race([closed, sleep(PATIENCE_MS, false)])
    if (!isClosed) throw new Error('The connection stays open.')
  } finally {
    clearInterval(sending)
    socket.destroy()
  }
  return answer
}
