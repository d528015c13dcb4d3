import type { ServerMessage, ClientMessage } from '#contract/realtime.ts'
import type { ContinentCode } from '#game/continents.ts'
import { createStore, type Store } from '#web/store.ts'

/** How long a page of land waits before it opens a lost socket again, and how long every other page (spec §9). */
const LAND_RECONNECT_MS = 3_000
const OTHER_RECONNECT_MS = 5_000

/**
 * A topic that nobody follows any more is heard this much longer: whoever walks from page to page must not talk to
 * the server faster than it lets anybody.
 */
export const UNSUBSCRIBE_DELAY_MS = 10_000

export type FeedState = 'connecting' | 'open' | 'down'

/** The part of a WebSocket that the line uses. */
export type FeedSocket = {
  addEventListener: (
    type: 'open' | 'close' | 'message',
    listener: (event: { data?: unknown }) => void,
  ) => void
  send: (text: string) => void
  close: () => void
}

export type ChangeFeed = {
  state: Store<FeedState>
  /** Opens the socket, and opens it again whenever it is lost, until stopped. */
  start: () => () => void
  /** Asks for the news of a continent until the answer is called; several may follow the same one. */
  follow: (code: ContinentCode) => () => void
}

type ChangeFeedOptions = { open: () => FeedSocket; onMessage: (message: ServerMessage) => void }

/** The one socket of the app. */
export function createChangeFeed({ open, onMessage }: ChangeFeedOptions): ChangeFeed {
  const state = createStore<FeedState>('connecting')
  const followerCounts = new Map<ContinentCode, number>()
  const pendingUnsubscribes = new Map<ContinentCode, ReturnType<typeof setTimeout>>()
  let socket: FeedSocket | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = false

  const sendMessage = (message: ClientMessage): void => {
    if (state.get() === 'open') socket?.send(JSON.stringify(message))
  }

  const connect = (): void => {
    clearTimeout(timer)
    if (socket) return
    const opened = open()
    socket = opened
    opened.addEventListener('open', () => {
      if (socket !== opened) return
      state.set('open')
      for (const code of followerCounts.keys()) sendMessage({ type: 'subscribe', topic: `continent:${code}` })
    })
    opened.addEventListener('message', ({ data }) => {
      const message = socket === opened ? readFrame(data) : null
      if (message) onMessage(message)
    })
    opened.addEventListener('close', () => {
      if (socket === opened) disconnect()
    })
  }

  const disconnect = (): void => {
    const previous = socket
    socket = null
    for (const pending of pendingUnsubscribes.values()) clearTimeout(pending)
    pendingUnsubscribes.clear()
    state.set('down')
    previous?.close()
    clearTimeout(timer)
    if (running) timer = setTimeout(connect, followerCounts.size > 0 ? LAND_RECONNECT_MS : OTHER_RECONNECT_MS)
  }

  return {
    state,
    start() {
      running = true
      connect()
      // A socket can look open for minutes after the network went; the browser knows sooner.
      window.addEventListener('offline', disconnect)
      window.addEventListener('online', connect)
      return () => {
        running = false
        window.removeEventListener('offline', disconnect)
        window.removeEventListener('online', connect)
        disconnect()
        state.set('connecting')
      }
    },
    follow(code) {
      const topic = `continent:${code}` as const
      const count = followerCounts.get(code) ?? 0
      followerCounts.set(code, count + 1)
      clearTimeout(pendingUnsubscribes.get(code))
      // A topic that is still being left is still heard.
      if (count === 0 && !pendingUnsubscribes.delete(code)) sendMessage({ type: 'subscribe', topic })
      return () => {
        const remaining = (followerCounts.get(code) ?? 1) - 1
        if (remaining > 0) {
          followerCounts.set(code, remaining)
          return
        }
        followerCounts.delete(code)
        const unsubscribe = (): void => {
          pendingUnsubscribes.delete(code)
          sendMessage({ type: 'unsubscribe', topic })
        }
        pendingUnsubscribes.set(code, setTimeout(unsubscribe, UNSUBSCRIBE_DELAY_MS))
      }
    },
  }
}

/** A frame of the server, or null where it is none. Which types mean something is for the reader to say. */
export function readFrame(data: unknown): ServerMessage | null {
  if (typeof data !== 'string') return null
  try {
    const frame: unknown = JSON.parse(data)
    if (frame === null || typeof frame !== 'object' || !('type' in frame) || !('data' in frame)) return null
    return typeof frame.data === 'object' && frame.data !== null ? (frame as ServerMessage) : null
  } catch {
    return null
  }
}
