import { connect, type Socket } from 'node:net'

/** A keep-alive connection with one request in flight. */
export type HttpConnection = {
  /** Sends a request and returns the status. Rejects if the connection closes first, or on a timeout. */
  send(request: string): Promise<number>
  /** The same, and returns the whole response in Latin-1. */
  ask(request: string): Promise<string>
  close(): void
}

/** Longer than all timeouts of the server. */
const LONGEST_MS = 45_000

/**
 * A minimal HTTP/1.1 client. It shares the processor with the measured server, so it parses only the status and the end
 * of the body. The server always sends `content-length`.
 */
export async function openHttpConnection(url: string, longestMs = LONGEST_MS): Promise<HttpConnection> {
  const { hostname, port } = new URL(url)
  const socket = await opened(connect({ host: hostname, port: Number(port), noDelay: true }))
  socket.setEncoding('latin1')
  let waiting: { answer(text: string): void; fail(error: Error): void } | undefined
  let received = ''
  socket.on('data', (chunk: string) => {
    received += chunk
    const end = endOf(received)
    if (end === undefined || received.length < end) return
    const text = received
    received = ''
    const { answer } = waiting!
    waiting = undefined
    answer(text)
  })
  socket.on('close', () => waiting?.fail(new Error('The server closed the connection')))
  const limit = () => {
    if (waiting) socket.destroy(new Error(`No data for ${longestMs / 1000} s`))
    // An idle connection stays open.
    else socket.setTimeout(longestMs)
  }
  socket.setTimeout(longestMs).on('timeout', limit)
  socket.on('error', (error) => waiting?.fail(error))
  const ask = <Read>(request: string, read: (text: string) => Read): Promise<Read> =>
    new Promise((resolve, reject) => {
      if (socket.destroyed) return void reject(new Error('The server has closed the connection'))
      waiting = { answer: (text) => resolve(read(text)), fail: reject }
      socket.write(request, 'latin1')
    })
  return {
    send: (request) => ask(request, (text) => Number(text.slice(9, 12))),
    ask: (request) => ask(request, (text) => text),
    close: () => socket.destroy(),
  }
}

function endOf(received: string): number | undefined {
  const headers = received.indexOf('\r\n\r\n')
  if (headers < 0) return undefined
  // A 304 has no body (RFC 9110, 15.4.5).
  if (received.startsWith('304', 9)) return headers + 4
  const length = /^content-length: (\d+)\r$/im.exec(received.slice(0, headers + 1))?.[1]
  if (length === undefined) throw new Error('A response without a content-length')
  return headers + 4 + Number(length)
}

function opened(socket: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
  })
}
