import { connect, type Socket } from 'node:net'
import { eachFrame, PONG, upgradeRequest } from '../../bench/realtime/raw-socket.ts'
import { MOVE_WITHIN_MS } from '#web/realtime/change-feed.ts'

const GOING_AWAY = 1001
const CLOSE = 0x8
const PING = 0x9
const TEXT = 0x1

/** Where the status is in the first line of an answer: `HTTP/1.1 503`. */
const STATUS = { start: 9, end: 12 }

/** The delay of the web app after a socket was lost without a close frame. */
const LOST_MS = 5_000

/** What all followers saw. */
export type Seen = {
  /** When each connection was tried. */
  attempts: number[]
  /** For each lost connection: whether the server had announced it, and the time until the next one was open. */
  returns: { announced: boolean; tookMs: number }[]
  /** How often an attempt failed, by the status or error that it got. */
  failures: Map<string, number>
}

/** A client of the change feed that opens a lost socket again as the web app does. Keeps the last frame of each type. */
export class Follower {
  readonly frames = new Map<string, string>()
  isOpen = false
  readonly #port: number
  readonly #seen: Seen
  #lostAt: { ms: number; announced: boolean } | undefined
  #socket: Socket | undefined
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(port: number, seen: Seen) {
    this.#port = port
    this.#seen = seen
  }

  /** Connects, now and whenever the socket is lost, until stopped. */
  connect(): void {
    this.#seen.attempts.push(performance.now())
    const socket = connect({ host: '127.0.0.1', port: this.#port, noDelay: true })
    this.#socket = socket
    let announced = false
    let failure = 'closed'
    let rest: Buffer = Buffer.alloc(0)
    socket.on('error', ({ code }: NodeJS.ErrnoException) => void (failure = code ?? failure))
    socket.on('connect', () => socket.write(upgradeRequest(this.#port)))
    socket.on('data', (bytes: Buffer) => {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
      if (!this.isOpen && !this.#readUpgrade(rest, () => (rest = withoutHead(rest)))) {
        failure = rest.toString('latin1', 0, STATUS.end).slice(STATUS.start)
        return
      }
      const read = eachFrame(rest, (opcode, payload) => {
        if (opcode === TEXT) this.#store(String(payload))
        if (opcode === PING) socket.write(PONG)
        if (opcode === CLOSE) {
          announced = payload.length >= 2 && payload.readUInt16BE(0) === GOING_AWAY
          socket.end()
        }
      })
      rest = rest.subarray(read)
    })
    socket.on('close', () => {
      if (!this.isOpen && !this.#isStopped) count(this.#seen.failures, failure)
      this.#reconnect(announced)
    })
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#socket?.destroy()
  }

  #readUpgrade(bytes: Buffer, removeHead: () => void): boolean {
    if (!bytes.includes('\r\n\r\n')) return false
    if (!bytes.subarray(0, 12).equals(Buffer.from('HTTP/1.1 101'))) {
      this.#socket?.destroy()
      return false
    }
    removeHead()
    this.isOpen = true
    if (this.#lostAt)
      this.#seen.returns.push({
        announced: this.#lostAt.announced,
        tookMs: performance.now() - this.#lostAt.ms,
      })
    this.#lostAt = undefined
    return true
  }

  #store(text: string): void {
    this.frames.set(/^\{"type":"(\w+)"/.exec(text)?.[1] ?? text, text)
  }

  #reconnect(announced: boolean): void {
    if (this.#isStopped) return
    if (this.isOpen) this.#lostAt = { ms: performance.now(), announced }
    this.isOpen = false
    const delayMs = announced ? Math.random() * MOVE_WITHIN_MS : LOST_MS
    this.#timer = setTimeout(() => this.connect(), delayMs)
  }
}

const count = (counts: Map<string, number>, what: string): void =>
  void counts.set(what, (counts.get(what) ?? 0) + 1)

const withoutHead = (bytes: Buffer): Buffer => bytes.subarray(bytes.indexOf('\r\n\r\n') + 4)
