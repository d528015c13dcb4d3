import type { DownMessage, UpMessage } from '#contract/realtime.ts'
import type { ContinentCode } from '#game/continents.ts'
import { createStore, type Store } from '#web/store.ts'

/** How long a page of land waits before it opens a lost socket again, and how long every other page (spec §9). */
const LAND_RECONNECT_MS = 3_000
const OTHER_RECONNECT_MS = 5_000

/**
 * A topic that nobody follows any more is heard this much longer: whoever walks from page to page must not talk to
 * the server faster than it lets anybody.
 */
export const LINGER_MS = 10_000

export type LineState = 'connecting' | 'open' | 'down'

/** The part of a WebSocket that the line uses. */
export type LineSocket = {
  addEventListener: (
    type: 'open' | 'close' | 'message',
    listener: (event: { data?: unknown }) => void,
  ) => void
  send: (text: string) => void
  close: () => void
}

export type NewsLine = {
  state: Store<LineState>
  /** Opens the socket, and opens it again whenever it is lost, until stopped. */
  start: () => () => void
  /** Asks for the news of a continent until the answer is called; several may follow the same one. */
  follow: (code: ContinentCode) => () => void
}

type Given = { open: () => LineSocket; hear: (message: DownMessage) => void }

/** The one socket of the app. */
export function createNewsLine({ open, hear }: Given): NewsLine {
  const state = createStore<LineState>('connecting')
  const followers = new Map<ContinentCode, number>()
  const leaving = new Map<ContinentCode, ReturnType<typeof setTimeout>>()
  let socket: LineSocket | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = false

  const say = (message: UpMessage): void => {
    if (state.get() === 'open') socket?.send(JSON.stringify(message))
  }

  const connect = (): void => {
    clearTimeout(timer)
    if (socket) return
    const mine = open()
    socket = mine
    mine.addEventListener('open', () => {
      if (socket !== mine) return
      state.set('open')
      for (const code of followers.keys()) say({ type: 'subscribe', topic: `continent:${code}` })
    })
    mine.addEventListener('message', ({ data }) => {
      const message = socket === mine ? readFrame(data) : null
      if (message) hear(message)
    })
    mine.addEventListener('close', () => {
      if (socket === mine) lose()
    })
  }

  const lose = (): void => {
    const lost = socket
    socket = null
    for (const wait of leaving.values()) clearTimeout(wait)
    leaving.clear()
    state.set('down')
    lost?.close()
    clearTimeout(timer)
    if (running) timer = setTimeout(connect, followers.size > 0 ? LAND_RECONNECT_MS : OTHER_RECONNECT_MS)
  }

  return {
    state,
    start() {
      running = true
      connect()
      // A socket can look open for minutes after the network went; the browser knows sooner.
      window.addEventListener('offline', lose)
      window.addEventListener('online', connect)
      return () => {
        running = false
        window.removeEventListener('offline', lose)
        window.removeEventListener('online', connect)
        lose()
        state.set('connecting')
      }
    },
    follow(code) {
      const topic = `continent:${code}` as const
      const before = followers.get(code) ?? 0
      followers.set(code, before + 1)
      clearTimeout(leaving.get(code))
      // A topic that is still being left is still heard.
      if (before === 0 && !leaving.delete(code)) say({ type: 'subscribe', topic })
      return () => {
        const left = (followers.get(code) ?? 1) - 1
        if (left > 0) {
          followers.set(code, left)
          return
        }
        followers.delete(code)
        const leave = (): void => {
          leaving.delete(code)
          say({ type: 'unsubscribe', topic })
        }
        leaving.set(code, setTimeout(leave, LINGER_MS))
      }
    },
  }
}

/** A frame of the server, or null where it is none. Which types mean something is for the reader to say. */
export function readFrame(data: unknown): DownMessage | null {
  if (typeof data !== 'string') return null
  try {
    const frame: unknown = JSON.parse(data)
    if (frame === null || typeof frame !== 'object' || !('type' in frame) || !('data' in frame)) return null
    return typeof frame.data === 'object' && frame.data !== null ? (frame as DownMessage) : null
  } catch {
    return null
  }
}
