import { connect, type Socket } from 'node:net'

/** A connection that stays open and carries one request after the other. */
export type KeepAlive = {
  /** Sends these bytes and gives the answer's status. Rejects when the connection ends before it. */
  send(request: string): Promise<number>
  close(): void
}

/**
 * A bare HTTP/1.1 client. It shares the processor with the server that it measures, so it reads of an answer only
 * what it must: the status, and where the body ends. The server always says `content-length`.
 */
export async function keepAlive(url: string): Promise<KeepAlive> {
  const { hostname, port } = new URL(url)
  const socket = await opened(connect({ host: hostname, port: Number(port), noDelay: true }))
  socket.setEncoding('latin1')
  let waiting: PromiseWithResolvers<number> | undefined
  let heard = ''
  socket.on('data', (chunk: string) => {
    heard += chunk
    const end = endOf(heard)
    if (end === undefined || heard.length < end) return
    const status = Number(heard.slice(9, 12))
    heard = ''
    waiting?.resolve(status)
  })
  socket.on('close', () => waiting?.reject(new Error('The server closed the connection')))
  return {
    send(request) {
      waiting = Promise.withResolvers()
      if (socket.destroyed) waiting.reject(new Error('The server has closed the connection'))
      socket.write(request, 'latin1')
      return waiting.promise
    },
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
