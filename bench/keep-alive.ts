import { connect, type Socket } from 'node:net'

/** A connection that stays open and carries one request after the other. */
export type KeepAlive = {
  /** Sends these bytes and gives the answer's status. Rejects when the connection ends before it, or nothing comes. */
  send(request: string): Promise<number>
  /** The same, and gives the whole answer as it came, in Latin-1. */
  ask(request: string): Promise<string>
  close(): void
}

/** An answer that takes longer than all limits of the server will never come. */
const LONGEST_MS = 45_000

/**
 * A bare HTTP/1.1 client. It shares the processor with the server that it measures, so it reads of an answer only
 * what it must: the status, and where the body ends. The server always says `content-length`.
 */
export async function keepAlive(url: string, longestMs = LONGEST_MS): Promise<KeepAlive> {
  const { hostname, port } = new URL(url)
  const socket = await opened(connect({ host: hostname, port: Number(port), noDelay: true }))
  socket.setEncoding('latin1')
  let waiting: { answer(text: string): void; fail(error: Error): void } | undefined
  let heard = ''
  socket.on('data', (chunk: string) => {
    heard += chunk
    const end = endOf(heard)
    if (end === undefined || heard.length < end) return
    const text = heard
    heard = ''
    const { answer } = waiting!
    waiting = undefined
    answer(text)
  })
  socket.on('close', () => waiting?.fail(new Error('The server closed the connection')))
  const limit = () => {
    if (waiting) socket.destroy(new Error(`Nothing came for ${longestMs / 1000} s`))
    // What has fired once is not heard of again.
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

function endOf(heard: string): number | undefined {
  const headers = heard.indexOf('\r\n\r\n')
  if (headers < 0) return undefined
  // Whoever has the answer already gets no other (RFC 9110, 15.4.5).
  if (heard.startsWith('304', 9)) return headers + 4
  const length = /^content-length: (\d+)\r$/im.exec(heard.slice(0, headers + 1))?.[1]
  if (length === undefined) throw new Error('An answer without a content-length')
  return headers + 4 + Number(length)
}

function opened(socket: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
  })
}
