import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type WebSocket, WebSocketServer } from 'ws'
import { LARGEST_FRAME_BYTES } from '#contract/realtime.ts'
import { assert } from '#server/platform/assert.ts'
import { measure } from '#server/platform/measure.ts'
import { CountByName } from '#server/platform/count-by-name.ts'
import { isForeignOrigin } from '#server/platform/http/origin.ts'
import type { Log } from '#server/platform/log.ts'
import { encodeFrame } from './encode-frame.ts'
import { type Allowance, ERRORS, fullAllowance, parseClientMessage, spend } from './parse-client-message.ts'
import { forEachInSlices } from './for-each-in-slices.ts'

/** A stream of state. Each frame contains the whole state, so the newest frame suffices. */
export type Channel = {
  /** The receivers: every socket, or those that subscribed to the channel's name. */
  audience: 'everyone' | 'subscribers'
  /** The current frames for a new receiver. */
  snapshot(): readonly Buffer[]
  /** The current frames to send after a change. */
  changeFrames(): readonly Buffer[]
}

export type Sockets = {
  /** Marks a channel as changed. Its frames are sent at the next tick, once for all calls. */
  announce(channel: string): void
  count(): number
  /** Accepts no more sockets, and closes those that are open with 1001 (going away), evenly over this time. */
  move(overMs: number): Promise<void>
  /** Closes all sockets with 1001 (going away) and terminates those that stay open. */
  close(): Promise<void>
}

type SocketOptions = {
  /** Channels by name. Their frames are sent in this order. */
  channels: ReadonlyMap<string, Channel>
  publicUrl: string
  log: Log
  /** The maximum number of sockets in this process. Further upgrades get 503. */
  maxSockets?: number
  /** The maximum number of sockets of one caller. Further upgrades get 429. */
  maxSocketsPerCaller?: number
  /** The name of the caller for `maxSocketsPerCaller`. */
  callerOf?: (request: IncomingMessage) => string
  pingEveryMs?: number
  /** How long a broadcast runs before it yields to the event loop. */
  sliceMs?: number
}

/** A set of channels, one bit for each, so that one AND per socket finds its changed channels. */
type ChannelMask = number

/** `stream` is the socket's TCP stream. Encoded frames are written to it directly. */
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

// Browsers answer pings by themselves. A client that has not answered by the next ping is gone.
const PING_EVERY_MS = 25_000

/** The most unread bytes of a socket. A slower consumer is disconnected. */
export const MAX_UNREAD_BYTES = 256 * 1024

// One malformed message may come from a client of another version. After the second the socket is closed.
const MAX_FAULTS = 2

const CLOSE_TIMEOUT_MS = 1_000

const MOVE_STEP_MS = 50

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
  // Otherwise `ws` answers with a page of its own.
  wss.on('wsClientError', (_error, stream) => rejectUpgrade(stream, 400))

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
    measure({ of: 'sockets', open: peers.size })
    socketsByCaller.add(caller)
    // `ws` closes a socket after an error and sends the reason itself.
    socket.on('error', () => {})
    socket.on('close', () => {
      peers.delete(peer)
      measure({ of: 'sockets', open: peers.size })
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
    // Frames are built again in each slice. A socket that got a newer snapshot meanwhile must not receive older state.
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
      assert(channel, `the channel ${name} exists`)
      dirty |= channel.bit
      scheduleBroadcast()
    },
    count: () => peers.size,
    async move(overMs) {
      open = false
      const leaving = [...peers]
      const steps = Math.ceil(overMs / MOVE_STEP_MS)
      for (let step = 0; step < steps; step++) {
        const [from, to] = [step, step + 1].map((at) => Math.round((leaving.length * at) / steps))
        for (const { socket } of leaving.slice(from, to)) socket.close(1001, 'The server restarts')
        await sleep(MOVE_STEP_MS)
      }
    },
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

/** One write per socket: the system calls dominate the cost of a broadcast. */
const joinFrames = (frames: readonly Buffer[]): Buffer =>
  frames.length === 1 ? frames[0]! : Buffer.concat(frames)

function handleMessage(peer: Peer, { text, channels }: { text: string; channels: NumberedChannels }): void {
  const { message, error } = parseClientMessage(
    text,
    (topic) => channels.get(topic)?.audience === 'subscribers',
  )
  if (error) {
    sendError(peer, error)
    if (error === 'malformed' && ++peer.faults >= MAX_FAULTS) expel(peer, error)
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
  expel(peer, 'too_fast')
  return false
}

/** Closes a socket without reading what else its client has sent. After the close timeout its connection is destroyed. */
function expel({ socket }: Peer, reason: keyof typeof ERRORS): void {
  socket.close(1008, reason)
  socket.pause()
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

/** The HTTP status with which an upgrade is refused, or null if it is accepted. */
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
