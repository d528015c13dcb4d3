import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

/** What became of the connections of one kind of client. */
export type ClientCounts = {
  opened: number
  /** The most that were open at once. */
  most: number
  /** Those that the server closed, answered or not. */
  closed: number
  /** Answers by status. */
  statuses: Record<number, number>
}

/** A kind of client that costs the server something and gives it nothing. */
export type ClientKind = {
  name: string
  /** What bounds it, as docs/operate/proxy.md lists it. */
  bound: string
  /** Runs after a connection is open. */
  act(socket: Socket): void | Promise<void>
}

const HEAD = 'Host: 127.0.0.1\r\n'
const UPGRADE = `GET /ws HTTP/1.1\r\n${HEAD}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`
const POST = (fields: string): string =>
  `POST /api/users/nonce HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n${fields}\r\n`

/** Writes until the server closes, at the speed at which it reads. */
async function pour(socket: Socket, chunk: Buffer, count: number): Promise<void> {
  for (let written = 0; written < count && !socket.destroyed; written++)
    if (!socket.write(chunk))
      await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {})
}

/** Writes a byte each second. */
async function drip(socket: Socket, text: string): Promise<void> {
  for (const byte of text) {
    if (socket.destroyed) return
    socket.write(byte)
    await sleep(1_000)
  }
}

const MEBIBYTE = Buffer.alloc(1 << 20, 'a')

/** Eight mebibytes when it is decompressed. Nothing decompresses it. */
const BOMB = gzipSync(Buffer.alloc(8 << 20))

export const CLIENT_KINDS: readonly ClientKind[] = [
  { name: 'silent', bound: 'headers within 5 s', act: () => {} },
  {
    name: 'slow headers',
    bound: 'headers within 5 s',
    act: (socket) => drip(socket, `GET / HTTP/1.1\r\n${HEAD}X-a: ${'a'.repeat(60)}`),
  },
  {
    name: 'slow body',
    bound: 'request within 8 s',
    act: (socket) => {
      socket.write(POST('Content-Length: 1000\r\n'))
      return drip(socket, 'a'.repeat(60))
    },
  },
  {
    name: 'half-open',
    bound: 'headers within 5 s',
    act: (socket) => void socket.end(`GET / HTTP/1.1\r\n${HEAD}`),
  },
  {
    name: 'body of 100 MB',
    bound: 'body of 16 KiB',
    act: async (socket) => {
      socket.write(POST(`Content-Length: ${100 << 20}\r\n`))
      await pour(socket, MEBIBYTE, 100)
    },
  },
  {
    name: 'endless chunks',
    bound: 'body of 16 KiB',
    act: async (socket) => {
      socket.write(POST('Transfer-Encoding: chunked\r\n'))
      await pour(socket, Buffer.concat([Buffer.from('100000\r\n'), MEBIBYTE, Buffer.from('\r\n')]), 100)
    },
  },
  {
    name: 'compressed body',
    bound: 'bodies are not decompressed',
    act: (socket) =>
      void socket.write(
        Buffer.concat([
          Buffer.from(
            POST(`Content-Encoding: gzip\r\nContent-Length: ${BOMB.length}\r\nConnection: close\r\n`),
          ),
          BOMB,
        ]),
      ),
  },
  {
    name: 'many headers',
    bound: 'headers of 16 KiB',
    act: async (socket) => {
      const header = `X-Header: ${'a'.repeat(1_000)}\r\n`
      // The answer is read before more is written: a connection that is reset meanwhile may lose it.
      socket.write(`GET / HTTP/1.1\r\n${HEAD}${header.repeat(20)}`)
      await Promise.race([once(socket, 'data'), once(socket, 'close')])
      await pour(socket, Buffer.from(header), 2_000)
    },
  },
  {
    name: 'unread answers',
    bound: 'closed after a minute without progress, 32 requests that wait, 500 connections of one address',
    act: (socket) => {
      socket.pause()
      socket.write(`GET /api/openapi.json HTTP/1.1\r\n${HEAD}\r\n`.repeat(30))
    },
  },
  { name: 'sockets', bound: '50 sockets of one address', act: (socket) => void socket.write(UPGRADE) },
  {
    name: 'unread sockets',
    bound: '50 sockets of one address, 256 KiB unread',
    act: (socket) => {
      socket.write(UPGRADE)
      socket.pause()
    },
  },
  {
    name: 'socket messages',
    bound: '20 messages at once, 4 KiB each, then 5 in a second',
    act: async (socket) => {
      socket.write(UPGRADE)
      await once(socket, 'data').catch(() => {})
      // Masked with zeros.
      const text = '{"type":"subscribe","topic":"continent:EU"}'
      const frame = Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)])
      await pour(socket, Buffer.concat(Array.from({ length: 100 }, () => frame)), 50)
    },
  },
]

/** Connections of one kind from a range of addresses of this machine. */
export class HostileClients {
  readonly counts: ClientCounts = { opened: 0, most: 0, closed: 0, statuses: {} }
  readonly #open = new Set<Socket>()
  #stopped = false
  readonly #kind: ClientKind
  readonly #url: URL

  constructor(kind: ClientKind, url: string) {
    this.#kind = kind
    this.#url = new URL(url)
  }

  get openCount(): number {
    return this.#open.size
  }

  /** Opens a connection from this address of the loopback network. */
  open(localAddress: string): Promise<void> {
    const socket = connect({
      host: this.#url.hostname,
      port: Number(this.#url.port),
      localAddress,
      allowHalfOpen: true,
    })
    socket.on('data', (data: Buffer) => this.#countStatuses(data))
    socket.on('error', () => {})
    socket.on('end', () => socket.destroy())
    socket.once('close', () => {
      if (!this.#stopped) this.counts.closed += 1
      this.#open.delete(socket)
    })
    return new Promise((resolve) => {
      socket.once('connect', () => {
        this.counts.opened += 1
        this.#open.add(socket)
        this.counts.most = Math.max(this.counts.most, this.#open.size)
        void Promise.resolve(this.#kind.act(socket)).catch(() => {})
        resolve()
      })
      socket.once('close', resolve)
    })
  }

  /**
   * Keeps this many connections open until it is stopped, from addresses with 40 or, if they say nothing, 400 each. Those
   * that the server closes are opened again, a few at a time: a flood of connections is not what is tried.
   */
  async maintain(count: number, network: number): Promise<void> {
    const each = count > 400 ? 400 : 40
    const atOnce = Math.min(50, Math.ceil(count / 50))
    for (let next = 0; !this.#stopped;) {
      const opening = Math.min(atOnce, count - this.#open.size)
      await Promise.all(
        Array.from({ length: opening }, () => {
          const at = Math.floor((next++ % count) / each)
          return this.open(`127.${network}.${1 + Math.floor(at / 200)}.${1 + (at % 200)}`)
        }),
      )
      await sleep(10)
    }
  }

  stop(): void {
    this.#stopped = true
    for (const socket of this.#open) socket.destroy()
  }

  #countStatuses(data: Buffer): void {
    for (const [, status] of data.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g))
      this.counts.statuses[Number(status)] = (this.counts.statuses[Number(status)] ?? 0) + 1
  }
}
