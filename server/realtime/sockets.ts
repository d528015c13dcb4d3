import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type WebSocket, WebSocketServer } from 'ws'
import { LARGEST_FRAME_BYTES } from '#contract/realtime.ts'
import { assert } from '#server/platform/assert.ts'
import { CountByName } from '#server/platform/count-by-name.ts'
import { isForeignOrigin } from '#server/platform/http/origin.ts'
import type { Log } from '#server/platform/log.ts'
import { encodeFrame } from './encode-frame.ts'
import { type Allowance, ERRORS, fullAllowance, parseClientMessage, spend } from './parse-client-message.ts'
import { forEachInSlices } from './for-each-in-slices.ts'

/** One stream of news. Its frames are whole state, so that the newest is enough. */
export type Channel = {
  /** Who hears it: every socket, or those that subscribed to its name. */
  audience: 'everyone' | 'subscribers'
  /** What a newcomer gets: its frames as of now. */
  snapshot(): readonly Buffer[]
  /** What follows a change: its frames as of now. */
  changeFrames(): readonly Buffer[]
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
  maxSockets?: number
  /** How many of them one caller holds. */
  maxSocketsPerCaller?: number
  /** What counts as one caller. */
  callerOf?: (request: IncomingMessage) => string
  pingEveryMs?: number
  /** How long a crowd is told something before others get their turn. */
  sliceMs?: number
}

/** Some of the channels, a bit for each: what a peer hears, what has news. For each of a crowd it is compared once. */
type ChannelMask = number

/** `stream` is what the socket speaks over: a frame that is made already needs nothing else of it. */
type Peer = {
  socket: WebSocket
  stream: Duplex
  subscriptions: ChannelMask
  allowance: Allowance
  faults: number
  isAlive: boolean
}

const PATHS = ['/', '/ws']

const TICK_MS = 50

// A browser answers pings by itself; whoever has not answered by the next one is gone.
const PING_EVERY_MS = 25_000

/** What a socket may leave unread. Behind that it is cut off: news are not worth keeping for it. */
export const MAX_UNREAD_BYTES = 256 * 1024

// One may be a client of another version; two are no client.
const MAX_FAULTS = 2

const CLOSE_TIMEOUT_MS = 1_000

const LIMITS = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: LARGEST_FRAME_BYTES,
  maxFragments: 16,
  closeTimeout: CLOSE_TIMEOUT_MS,
}

/** Serves WebSockets on the paths `/` and `/ws` of an HTTP server. */
export function serveSockets(server: Server, options: SocketOptions): Sockets {
  const {
    log,
    maxSockets = 20_000,
    maxSocketsPerCaller = maxSockets,
    pingEveryMs = PING_EVERY_MS,
    sliceMs,
  } = options
  const callerOf = options.callerOf ?? (({ socket }) => socket.remoteAddress ?? '')
  const channels = assignBits(options.channels)
  const forEveryone = [...channels.values()].filter((channel) => channel.audience === 'everyone')
  const peers = new Set<Peer>()
  const socketsByCaller = new CountByName()
  let dirty: ChannelMask = 0
  let currentBroadcast: Promise<void> | null = null
  let open = true

  const wss = new WebSocketServer(LIMITS)

  const acceptPeer = (socket: WebSocket, stream: Duplex, caller: string) => {
    const peer: Peer = {
      socket,
      stream,
      subscriptions: forEveryone.reduce((all, { bit }) => all | bit, 0),
      allowance: fullAllowance(performance.now()),
      faults: 0,
      isAlive: true,
    }
    peers.add(peer)
    socketsByCaller.add(caller)
    // What breaks a connection also closes it; `ws` has told the other side why.
    socket.on('error', () => {})
    socket.on('close', () => {
      peers.delete(peer)
      socketsByCaller.remove(caller)
    })
    socket.on('pong', () => {
      peer.isAlive = true
      checkAllowance(peer)
    })
    socket.on('ping', () => checkAllowance(peer))
    socket.on('message', (data, isBinary) => {
      if (checkAllowance(peer)) handleMessage(peer, { text: isBinary ? '' : String(data), channels })
    })
    send(peer, joinFrames(forEveryone.flatMap((channel) => channel.snapshot())))
  }

  const broadcast = async () => {
    await sleep(TICK_MS, undefined, { ref: false })
    const changedMask = dirty
    dirty = 0
    const payloads = new Map<ChannelMask, Buffer>()
    const sendChanges = (peer: Peer) => {
      const due = peer.subscriptions & changedMask
      if (due === 0) return
      let payload = payloads.get(due)
      if (!payload) payloads.set(due, (payload = collectChangeFrames(channels, due)))
      send(peer, payload)
    }
    // Asked for in each slice: who got a newer snapshot in between must not hear older news.
    await forEachInSlices([...peers], sendChanges, { sliceMs, onSliceStart: () => payloads.clear() })
    currentBroadcast = null
    if (dirty !== 0) scheduleBroadcast()
  }
  const scheduleBroadcast = () => {
    currentBroadcast ??= broadcast().catch((error: unknown) => {
      currentBroadcast = null
      log.error({ err: error }, 'Changes could not be broadcast')
    })
  }

  const capacityStatus = (caller: string): number | null => {
    if (!open || peers.size >= maxSockets) return 503
    return socketsByCaller.countOf(caller) >= maxSocketsPerCaller ? 429 : null
  }

  const heartbeat = setInterval(
    () => void forEachInSlices([...peers], checkAlive, { sliceMs }),
    pingEveryMs,
  ).unref()

  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const caller = callerOf(request)
    const status = refusedStatus(request, options.publicUrl) ?? capacityStatus(caller)
    if (status === null)
      wss.handleUpgrade(request, stream, head, (socket) => acceptPeer(socket, stream, caller))
    else rejectUpgrade(stream, status)
  })

  return {
    announce(name) {
      const channel = channels.get(name)
      assert(channel, `there is a channel ${name}`)
      dirty |= channel.bit
      scheduleBroadcast()
    },
    count: () => peers.size,
    async close() {
      open = false
      clearInterval(heartbeat)
      await forEachInSlices([...peers], ({ socket }) => socket.close(1001, 'The server restarts'))
      const deadline = performance.now() + CLOSE_TIMEOUT_MS
      while (peers.size > 0 && performance.now() < deadline) await sleep(20)
      await forEachInSlices([...peers], ({ socket }) => socket.terminate())
    },
  }
}

type NumberedChannels = ReadonlyMap<string, Channel & { bit: ChannelMask }>

function assignBits(channels: ReadonlyMap<string, Channel>): NumberedChannels {
  assert(channels.size < 32, 'there is a bit for every channel')
  return new Map([...channels].map(([name, channel], at) => [name, { ...channel, bit: 1 << at }]))
}

function collectChangeFrames(channels: NumberedChannels, due: ChannelMask): Buffer {
  const dueChannels = [...channels.values()].filter(({ bit }) => due & bit)
  return joinFrames(dueChannels.flatMap((channel) => channel.changeFrames()))
}

/** A system call for each frame is what telling a crowd costs. */
const joinFrames = (frames: readonly Buffer[]): Buffer =>
  frames.length === 1 ? frames[0]! : Buffer.concat(frames)

function handleMessage(peer: Peer, { text, channels }: { text: string; channels: NumberedChannels }): void {
  const { message, error } = parseClientMessage(
    text,
    (topic) => channels.get(topic)?.audience === 'subscribers',
  )
  if (error) {
    sendError(peer, error)
    if (error === 'malformed' && ++peer.faults >= MAX_FAULTS) peer.socket.close(1008, error)
    return
  }
  const { bit, snapshot } = channels.get(message.topic)!
  if (message.type === 'unsubscribe') {
    peer.subscriptions &= ~bit
    return
  }
  peer.subscriptions |= bit
  send(peer, joinFrames(snapshot()))
}

function checkAllowance(peer: Peer): boolean {
  const { socket, allowance } = peer
  if (socket.readyState !== socket.OPEN) return false
  if (spend(allowance, performance.now())) return true
  sendError(peer, 'too_fast')
  socket.close(1008, 'too_fast')
  return false
}

function sendError(peer: Peer, code: keyof typeof ERRORS): void {
  send(peer, encodeFrame({ type: 'error', data: { code, message: ERRORS[code] } }))
}

function send({ socket, stream }: Peer, frames: Buffer): void {
  if (frames.length === 0 || socket.readyState !== socket.OPEN) return
  if (stream.writableLength > MAX_UNREAD_BYTES) return socket.terminate()
  stream.write(frames)
}

function checkAlive(peer: Peer): void {
  if (!peer.isAlive) return peer.socket.terminate()
  peer.isAlive = false
  if (peer.socket.readyState === peer.socket.OPEN) peer.socket.ping()
}

/** Why an upgrade is refused, as an HTTP status; null where it is welcome. */
function refusedStatus(request: IncomingMessage, publicUrl: string): number | null {
  if (!PATHS.includes(request.url!.split('?', 1)[0]!)) return 404
  return isForeignOrigin(request, publicUrl) ? 403 : null
}

function rejectUpgrade(stream: Duplex, status: number): void {
  stream.on('error', () => {})
  stream.once('finish', () => stream.destroy())
  const retry = status === 429 || status === 503 ? 'Retry-After: 10\r\n' : ''
  stream.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${retry}Connection: close\r\nContent-Length: 0\r\n\r\n`,
  )
}
