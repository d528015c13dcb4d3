import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type WebSocket, WebSocketServer } from 'ws'
import { LARGEST_FRAME } from '#contract/realtime.ts'
import { assert } from '#server/platform/assert.ts'
import { CountByName } from '#server/platform/count-by-name.ts'
import { isForeign } from '#server/platform/http/origin.ts'
import type { Log } from '#server/platform/log.ts'
import { encode } from './encode.ts'
import { type Allowance, ERRORS, fullAllowance, readUp, spend } from './hear-peer.ts'
import { inSlices } from './in-slices.ts'

/** One stream of news. Its frames are whole state, so that the newest is enough. */
export type Channel = {
  /** Who hears it: every socket, or those that subscribed to its name. */
  audience: 'everyone' | 'subscribers'
  /** What a newcomer gets: its frames as of now. */
  snapshot(): readonly Buffer[]
  /** What follows a change: its frames as of now. */
  news(): readonly Buffer[]
}

export type Sockets = {
  /** A channel has something to say; it is said at the next tick, once however often this was called. */
  announce(channel: string): void
  count(): number
  /** Tells everybody to go and come back, and ends those that stay. */
  close(): Promise<void>
}

type SocketOptions = {
  /** By name; a channel that comes first speaks first. */
  channels: ReadonlyMap<string, Channel>
  publicUrl: string
  log: Log
  /** How many sockets one process holds; more are told to try again later. */
  most?: number
  /** How many of them one caller holds. */
  mostOfOne?: number
  /** What counts as one caller. */
  callerOf?: (request: IncomingMessage) => string
  pingEveryMs?: number
  /** How long a crowd is told something before others get their turn. */
  sliceMs?: number
}

/** Some of the channels, a bit for each: what a peer hears, what has news. For each of a crowd it is compared once. */
type Channels = number

/** `stream` is what the socket speaks over: a frame that is made already needs nothing else of it. */
type Peer = {
  socket: WebSocket
  stream: Duplex
  hears: Channels
  allowance: Allowance
  faults: number
  answers: boolean
}

const PATHS = ['/', '/ws']

const TICK_MS = 50

// A browser answers pings by itself; whoever has not answered by the next one is gone.
const PING_EVERY_MS = 25_000

/** What a socket may leave unread. Behind that it is cut off: news are not worth keeping for it. */
export const MOST_UNREAD_BYTES = 256 * 1024

// One may be a client of another version; two are no client.
const MOST_FAULTS = 2

const GOODBYE_MS = 1_000

const LIMITS = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: LARGEST_FRAME,
  maxFragments: 16,
  closeTimeout: GOODBYE_MS,
}

/** Serves WebSockets on the paths `/` and `/ws` of an HTTP server. */
export function serveSockets(server: Server, options: SocketOptions): Sockets {
  const { log, most = 20_000, mostOfOne = most, pingEveryMs = PING_EVERY_MS, sliceMs } = options
  const callerOf = options.callerOf ?? (({ socket }) => socket.remoteAddress ?? '')
  const channels = numbered(options.channels)
  const forEveryone = [...channels.values()].filter((channel) => channel.audience === 'everyone')
  const peers = new Set<Peer>()
  const heldBy = new CountByName()
  let dirty: Channels = 0
  let speaking: Promise<void> | null = null
  let open = true

  const wss = new WebSocketServer(LIMITS)

  const welcome = (socket: WebSocket, stream: Duplex, caller: string) => {
    const peer: Peer = {
      socket,
      stream,
      hears: forEveryone.reduce((all, { bit }) => all | bit, 0),
      allowance: fullAllowance(performance.now()),
      faults: 0,
      answers: true,
    }
    peers.add(peer)
    heldBy.add(caller)
    // What breaks a connection also closes it; `ws` has told the other side why.
    socket.on('error', () => {})
    socket.on('close', () => {
      peers.delete(peer)
      heldBy.remove(caller)
    })
    socket.on('pong', () => {
      peer.answers = true
      within(peer)
    })
    socket.on('ping', () => within(peer))
    socket.on('message', (data, isBinary) => {
      if (within(peer)) hear(peer, { text: isBinary ? '' : String(data), channels })
    })
    say(peer, inOnePiece(forEveryone.flatMap((channel) => channel.snapshot())))
  }

  const speak = async () => {
    await sleep(TICK_MS, undefined, { ref: false })
    const telling = dirty
    dirty = 0
    const pieces = new Map<Channels, Buffer>()
    const tell = (peer: Peer) => {
      const due = peer.hears & telling
      if (due === 0) return
      let piece = pieces.get(due)
      if (!piece) pieces.set(due, (piece = newsOf(channels, due)))
      say(peer, piece)
    }
    // Asked for in each slice: who got a newer snapshot in between must not hear older news.
    await inSlices([...peers], tell, { sliceMs, begin: () => pieces.clear() })
    speaking = null
    if (dirty !== 0) announceAll()
  }
  const announceAll = () => {
    speaking ??= speak().catch((error: unknown) => {
      speaking = null
      log.error({ err: error }, 'News could not be told')
    })
  }

  const fullStatus = (caller: string): number | null => {
    if (!open || peers.size >= most) return 503
    return heldBy.of(caller) >= mostOfOne ? 429 : null
  }

  const beat = setInterval(() => void inSlices([...peers], checkAlive, { sliceMs }), pingEveryMs).unref()

  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const caller = callerOf(request)
    const status = refusedStatus(request, options.publicUrl) ?? fullStatus(caller)
    if (status === null) wss.handleUpgrade(request, stream, head, (socket) => welcome(socket, stream, caller))
    else turnAway(stream, status)
  })

  return {
    announce(name) {
      const channel = channels.get(name)
      assert(channel, `there is a channel ${name}`)
      dirty |= channel.bit
      announceAll()
    },
    count: () => peers.size,
    async close() {
      open = false
      clearInterval(beat)
      await inSlices([...peers], ({ socket }) => socket.close(1001, 'The server restarts'))
      const deadline = performance.now() + GOODBYE_MS
      while (peers.size > 0 && performance.now() < deadline) await sleep(20)
      await inSlices([...peers], ({ socket }) => socket.terminate())
    },
  }
}

type Numbered = ReadonlyMap<string, Channel & { bit: Channels }>

function numbered(channels: ReadonlyMap<string, Channel>): Numbered {
  assert(channels.size < 32, 'there is a bit for every channel')
  return new Map([...channels].map(([name, channel], at) => [name, { ...channel, bit: 1 << at }]))
}

function newsOf(channels: Numbered, due: Channels): Buffer {
  const speakers = [...channels.values()].filter(({ bit }) => due & bit)
  return inOnePiece(speakers.flatMap((channel) => channel.news()))
}

/** A system call for each frame is what telling a crowd costs. */
const inOnePiece = (frames: readonly Buffer[]): Buffer =>
  frames.length === 1 ? frames[0]! : Buffer.concat(frames)

function hear(peer: Peer, { text, channels }: { text: string; channels: Numbered }): void {
  const { message, error } = readUp(text, (topic) => channels.get(topic)?.audience === 'subscribers')
  if (error) {
    complain(peer, error)
    if (error === 'malformed' && ++peer.faults >= MOST_FAULTS) peer.socket.close(1008, error)
    return
  }
  const { bit, snapshot } = channels.get(message.topic)!
  if (message.type === 'unsubscribe') {
    peer.hears &= ~bit
    return
  }
  peer.hears |= bit
  say(peer, inOnePiece(snapshot()))
}

function within(peer: Peer): boolean {
  const { socket, allowance } = peer
  if (socket.readyState !== socket.OPEN) return false
  if (spend(allowance, performance.now())) return true
  complain(peer, 'too_fast')
  socket.close(1008, 'too_fast')
  return false
}

function complain(peer: Peer, code: keyof typeof ERRORS): void {
  say(peer, encode({ type: 'error', data: { code, message: ERRORS[code] } }))
}

function say({ socket, stream }: Peer, frames: Buffer): void {
  if (frames.length === 0 || socket.readyState !== socket.OPEN) return
  if (stream.writableLength > MOST_UNREAD_BYTES) return socket.terminate()
  stream.write(frames)
}

function checkAlive(peer: Peer): void {
  if (!peer.answers) return peer.socket.terminate()
  peer.answers = false
  if (peer.socket.readyState === peer.socket.OPEN) peer.socket.ping()
}

/** Why an upgrade is refused, as an HTTP status; null where it is welcome. */
function refusedStatus(request: IncomingMessage, publicUrl: string): number | null {
  if (!PATHS.includes(request.url!.split('?', 1)[0]!)) return 404
  return isForeign(request, publicUrl) ? 403 : null
}

function turnAway(stream: Duplex, status: number): void {
  stream.on('error', () => {})
  stream.once('finish', () => stream.destroy())
  const retry = status === 429 || status === 503 ? 'Retry-After: 10\r\n' : ''
  stream.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${retry}Connection: close\r\nContent-Length: 0\r\n\r\n`,
  )
}
