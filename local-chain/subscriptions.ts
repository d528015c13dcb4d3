import type { Server } from 'node:http'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import type { LocalLedger } from './local-ledger.ts'
import { renderAccount, withContext } from './rpc-accounts.ts'
import { addressOf, commitmentOf, configOf, idOf, RpcError, signatureOf, type Config } from './rpc-params.ts'
import { isLocalOrigin, toJson, type RpcHandler } from './rpc-server.ts'

const MAX_FRAME_BYTES = 1 << 20
const MAX_UNSENT_BYTES = 1 << 20
const MAX_SUBSCRIPTIONS = 1000
const INVALID_REQUEST = -32600
const UNSUPPORTED_DATA = 1003

/** Called after each block: sends what has changed. Returns `true` when the subscription is complete. */
type Watch = (send: (result: unknown) => void) => boolean | void
type Subscription = { socket: WebSocket; kind: string; watch: Watch }

/** Clients that do not read are disconnected instead of buffered for. */
const hasStoppedReading = (socket: WebSocket): boolean => socket.bufferedAmount > MAX_UNSENT_BYTES

export type Subscriptions = { readonly size: number; close(): void }

/**
 * Serves Solana's WebSocket subscriptions (https://solana.com/docs/rpc/websocket) for slots, signatures and accounts on
 * each of these servers. All other methods work as over HTTP.
 */
export function serveSubscriptions(
  servers: readonly Server[],
  ledger: LocalLedger,
  handleRpc: RpcHandler,
): Subscriptions {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    verifyClient: ({ origin }: { origin?: string }) => isLocalOrigin(origin),
  })
  for (const server of servers)
    server.on('upgrade', (request, socket, head) =>
      sockets.handleUpgrade(request, socket, head, (upgraded) => sockets.emit('connection', upgraded)),
    )
  const subscriptions = new Map<number, Subscription>()
  let lastId = 0

  const notify = (id: number, { socket, kind, watch }: Subscription) => {
    if (hasStoppedReading(socket)) return socket.terminate()
    const send = (result: unknown) =>
      socket.send(
        toJson({ jsonrpc: '2.0', method: `${kind}Notification`, params: { subscription: id, result } }),
      )
    try {
      if (watch(send) === true) subscriptions.delete(id)
    } catch {
      // The account cannot be written in the encoding that the client asked for, for example because it has grown.
      subscriptions.delete(id)
      socket.close(UNSUPPORTED_DATA, 'This account cannot be sent in this encoding')
    }
  }
  ledger.onBlock(() => {
    for (const [id, subscription] of subscriptions) notify(id, subscription)
  })

  const subscribe = (socket: WebSocket, kind: string, request: Record<string, unknown>) => {
    const openCount = [...subscriptions.values()].filter(
      (subscription) => subscription.socket === socket,
    ).length
    if (openCount >= MAX_SUBSCRIPTIONS) throw new RpcError(INVALID_REQUEST, 'Too many subscriptions')
    const watch = createWatch(ledger, kind, Array.isArray(request.params) ? request.params : [])
    const subscription = { socket, kind, watch }
    const id = ++lastId
    socket.send(toJson({ jsonrpc: '2.0', result: id, id: idOf(request.id) }))
    subscriptions.set(id, subscription)
    notify(id, subscription)
  }

  const unsubscribe = (socket: WebSocket, request: Record<string, unknown>) => {
    const id = Array.isArray(request.params) ? Number(request.params[0]) : NaN
    const removed = subscriptions.get(id)?.socket === socket && subscriptions.delete(id)
    socket.send(toJson({ jsonrpc: '2.0', result: removed, id: idOf(request.id) }))
  }

  const receive = async (socket: WebSocket, data: RawData) => {
    if (hasStoppedReading(socket)) return socket.terminate()
    const request = requestOf(data)
    if (request === null) return
    const method = typeof request.method === 'string' ? request.method : ''
    const match = /^(slot|signature|account)(Subscribe|Unsubscribe)$/.exec(method)
    const [, kind, verb] = match ?? []
    try {
      if (method === 'ping') socket.send(toJson({ jsonrpc: '2.0', result: 'pong', id: idOf(request.id) }))
      else if (kind === undefined) socket.send(toJson(await handleRpc(request)))
      else if (verb === 'Subscribe') subscribe(socket, kind, request)
      else unsubscribe(socket, request)
    } catch (error) {
      const { code, message } =
        error instanceof RpcError ? error : { code: -32603, message: 'Internal error' }
      socket.send(toJson({ jsonrpc: '2.0', error: { code, message }, id: idOf(request.id) }))
    }
  }

  sockets.on('connection', (socket) => {
    socket.on('message', (data) => void receive(socket, data))
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      for (const [id, subscription] of subscriptions)
        if (subscription.socket === socket) subscriptions.delete(id)
    })
  })
  return {
    get size() {
      return subscriptions.size
    },
    close: () => {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
    },
  }
}

function requestOf(data: RawData): Record<string, unknown> | null {
  try {
    const request: unknown = JSON.parse(String(data))
    return typeof request === 'object' && request !== null ? (request as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function createWatch(ledger: LocalLedger, kind: string, params: readonly unknown[]): Watch {
  const config = configOf(params[1])
  const { blocks } = ledger
  if (kind === 'slot')
    return (send) => send({ slot: blocks.slot(), parent: blocks.slot() - 1n, root: blocks.slot('finalized') })
  return kind === 'signature'
    ? watchSignature(ledger, params[0], config)
    : watchAccount(ledger, params[0], config)
}

function watchSignature(ledger: LocalLedger, signature: unknown, config: Config): Watch {
  const wanted = signatureOf(signature)
  const commitment = commitmentOf(config)
  return (send) => {
    const status = ledger.store.status(wanted)
    if (status === null || status.slot > ledger.blocks.slot(commitment)) return false
    send(withContext(ledger, commitment, { err: status.error }))
    return true
  }
}

function watchAccount(ledger: LocalLedger, address: unknown, config: Config): Watch {
  const wanted = addressOf(address)
  const commitment = commitmentOf(config)
  let last: string | null = null
  return (send) => {
    const account = ledger.account(wanted, commitment)
    const now = toJson(renderAccount(ledger, account, { encoding: 'base64' }))
    if (last !== null && last !== now)
      send(withContext(ledger, commitment, renderAccount(ledger, account, { encoding: 'base64', ...config })))
    last = now
  }
}
