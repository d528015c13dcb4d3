import type { AddressInfo } from 'node:net'
import { type ClientOptions, WebSocket } from 'ws'
import type { ServerMessage } from '#contract/realtime.ts'
import { waitFor } from './run-server.ts'

type MessageOf = { [Message in ServerMessage as Message['type']]: Message }
type FrameType = keyof MessageOf

/** A test socket that stores the frames it receives. */
export type TestSocket = {
  received: ServerMessage[]
  socket: WebSocket
  send(message: unknown): void
  /** The received frames of a type, in order. */
  framesOf<T extends FrameType>(type: T): MessageOf[T][]
  /** Waits for a frame. It may already have been received. */
  waitForFrame<T extends FrameType>(
    type: T,
    matches?: (data: MessageOf[T]['data']) => boolean,
  ): Promise<MessageOf[T]['data']>
  /** Its close code. */
  closed: Promise<number>
}

/** The WebSocket URL of a listening server. */
export function socketUrl(server: { address(): AddressInfo | string | null }, path = '/ws'): string {
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
}

/** Connects. Rejects if the server refuses the upgrade. */
export async function openSocket(url: string, options: ClientOptions = {}): Promise<TestSocket> {
  const socket = new WebSocket(url, options)
  const received: ServerMessage[] = []
  const closed = Promise.withResolvers<number>()
  socket.on('message', (data) => received.push(JSON.parse(String(data)) as ServerMessage))
  socket.on('close', (code) => closed.resolve(code))
  await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.on('error', () => {})
  const framesOf = <T extends FrameType>(type: T) =>
    received.filter((message): message is MessageOf[T] => message.type === type)
  return {
    received,
    socket,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    framesOf,
    async waitForFrame<T extends FrameType>(
      type: T,
      matches: (data: MessageOf[T]['data']) => boolean = () => true,
    ) {
      const found = await waitFor(type, () => framesOf(type).find((each) => matches(each.data)))
      return found.data
    },
    closed: closed.promise,
  }
}

/** The status of a refused upgrade. */
export function readUpgradeStatus(url: string, options: ClientOptions = {}): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, options)
    socket.on('unexpected-response', (request, response) => {
      resolve(response.statusCode)
      request.destroy()
    })
    socket.on('open', () => reject(new Error(`${url} accepted the socket`)))
    socket.on('error', () => {})
  })
}
