import type { ServerMessage, ClientMessage } from '#contract/realtime.ts'
import type { ContinentCode } from '#game/continents.ts'
import { createStore, type Store } from '#web/store.ts'

/** The delay before a lost socket is reopened, on pages of land and on other pages (spec §9). */
const LAND_RECONNECT_MS = 3_000
const OTHER_RECONNECT_MS = 5_000

/** The server closes its sockets with this code before it restarts. Another one may answer at once. */
const GOING_AWAY = 1001

/** The longest delay after that, chosen at random so that not all clients connect in the same moment. */
export const MOVE_WITHIN_MS = 500

/**
 * The delay before a topic without followers is unsubscribed. Without it, a player who changes pages quickly would
 * exceed the server's limit of messages.
 */
export const UNSUBSCRIBE_DELAY_MS = 10_000

/**
 * A phone that sleeps loses its socket, often without an event: it still looks open. After this time in the background a
 * new one is opened. The server has closed a socket that does not answer pings by then.
 */
export const REOPEN_AFTER_HIDDEN_MS = 60_000

export type FeedState = 'connecting' | 'open' | 'down'

/** The part of a WebSocket that the feed uses. */
export type FeedSocket = {
  addEventListener: (
    type: 'open' | 'close' | 'message',
    listener: (event: { data?: unknown; code?: number }) => void,
  ) => void
  send: (text: string) => void
  close: () => void
}

export type ChangeFeed = {
  state: Store<FeedState>
  /** Opens the socket, and reopens it whenever it is lost. Returns a function that stops it. */
  start: () => () => void
  /** Subscribes to the changes of a continent. Returns a function that unsubscribes. Subscribers share one topic. */
  follow: (code: ContinentCode) => () => void
}

type ChangeFeedOptions = { open: () => FeedSocket; onMessage: (message: ServerMessage) => void }

/** The only socket of the app. */
export function createChangeFeed({ open, onMessage }: ChangeFeedOptions): ChangeFeed {
  const state = createStore<FeedState>('connecting')
  const followerCounts = new Map<ContinentCode, number>()
  const pendingUnsubscribes = new Map<ContinentCode, ReturnType<typeof setTimeout>>()
  let socket: FeedSocket | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = false
  let hiddenAtMs = Number.POSITIVE_INFINITY

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
    opened.addEventListener('close', ({ code }) => {
      if (socket !== opened) return
      disconnect()
      if (code === GOING_AWAY) reconnectAfter(Math.random() * MOVE_WITHIN_MS)
    })
  }

  const disconnect = (): void => {
    const previous = socket
    socket = null
    for (const pending of pendingUnsubscribes.values()) clearTimeout(pending)
    pendingUnsubscribes.clear()
    state.set('down')
    previous?.close()
    reconnectAfter(LAND_RECONNECT_MS, reconnectOnLand)
  }

  /** The player may have changed the page since the socket was lost. */
  const reconnectOnLand = (): void => {
    if (followerCounts.size > 0) connect()
    else reconnectAfter(OTHER_RECONNECT_MS - LAND_RECONNECT_MS)
  }

  const reconnectAfter = (delayMs: number, reconnect = connect): void => {
    clearTimeout(timer)
    if (running) timer = setTimeout(reconnect, delayMs)
  }

  const checkVisibility = (): void => {
    if (document.hidden) {
      hiddenAtMs = Date.now()
    } else if (Date.now() - hiddenAtMs > REOPEN_AFTER_HIDDEN_MS) {
      disconnect()
      connect()
    }
  }

  return {
    state,
    start() {
      running = true
      connect()
      // A page that is opened in the background is hidden without an event.
      if (document.hidden) hiddenAtMs = Date.now()
      // A socket can look open for minutes after the network was lost. The browser notices sooner.
      window.addEventListener('offline', disconnect)
      window.addEventListener('online', connect)
      window.addEventListener('visibilitychange', checkVisibility)
      return () => {
        running = false
        window.removeEventListener('offline', disconnect)
        window.removeEventListener('online', connect)
        window.removeEventListener('visibilitychange', checkVisibility)
        disconnect()
        state.set('connecting')
      }
    },
    follow(code) {
      const topic = `continent:${code}` as const
      const count = followerCounts.get(code) ?? 0
      followerCounts.set(code, count + 1)
      clearTimeout(pendingUnsubscribes.get(code))
      // A topic with a pending unsubscribe is still subscribed.
      if (count === 0 && !pendingUnsubscribes.delete(code)) sendMessage({ type: 'subscribe', topic })
      return () => {
        const remaining = (followerCounts.get(code) ?? 1) - 1
        if (remaining > 0) {
          followerCounts.set(code, remaining)
          return
        }
        followerCounts.delete(code)
        // Nothing is subscribed, and the next socket subscribes followers only.
        if (state.get() !== 'open') return
        const unsubscribe = (): void => {
          pendingUnsubscribes.delete(code)
          sendMessage({ type: 'unsubscribe', topic })
        }
        pendingUnsubscribes.set(code, setTimeout(unsubscribe, UNSUBSCRIBE_DELAY_MS))
      }
    },
  }
}

/** A frame of the server, or null if the data is not one. Unknown types are left to the caller. */
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
