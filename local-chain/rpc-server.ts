import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { LocalLedger } from './local-ledger.ts'
import { callMethod } from './rpc-methods.ts'
import { idOf, type Methods, RpcError } from './rpc-params.ts'

const MAX_BODY_BYTES = 1 << 20
const MAX_BATCH = 256
const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const INTERNAL_ERROR = -32603
// By default Node waits a minute for headers and five for a request, and looks for late ones only every 30 s.
const LIMITS = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 }
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']
/** Extensions of browsers send them as their origin. No page can. */
const EXTENSION_SCHEMES = ['chrome-extension:', 'moz-extension:', 'safari-web-extension:']

export type RpcHandler = (request: unknown) => Promise<unknown>
export type Log = (message: string, details?: object) => void

/** Answers a JSON-RPC 2.0 request. It never rejects. */
export function createRpcHandler(ledger: LocalLedger, methods: Methods, log: Log): RpcHandler {
  return async (request) => {
    const { method, ...rest } = (request ?? {}) as Record<string, unknown>
    const id = idOf(rest.id)
    // Solana's clients in Rust send null for none.
    const params = rest.params ?? []
    try {
      if (typeof method !== 'string' || !Array.isArray(params))
        throw new RpcError(INVALID_REQUEST, 'Invalid request')
      return { jsonrpc: '2.0', result: await callMethod(ledger, methods, { method, params }), id }
    } catch (error) {
      if (error instanceof RpcError) {
        const { code, message, data } = error
        return { jsonrpc: '2.0', error: { code, message, ...(data === undefined ? {} : { data }) }, id }
      }
      log(`The local chain failed to answer ${String(method)}`, { error })
      return { jsonrpc: '2.0', error: { code: INTERNAL_ERROR, message: 'Internal error' }, id }
    }
  }
}

/** JSON as nodes write it: a u64 is a number, however large. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'bigint' ? rawJson(String(item)) : item,
  )
}

// TypeScript's libraries do not declare it yet.
const rawJson = (JSON as typeof JSON & { rawJSON(text: string): unknown }).rawJSON

/** Pages on this machine and wallets, which are extensions, may call. Other pages may not. Programs send no origin. */
export function isLocalOrigin(origin: string | undefined): boolean {
  if (origin === undefined) return true
  const url = URL.parse(origin)
  return url !== null && (LOCAL_HOSTS.includes(url.hostname) || EXTENSION_SCHEMES.includes(url.protocol))
}

export function createRpcServer(handleRpc: RpcHandler): Server {
  return createServer(LIMITS, (request, response) => {
    handleHttp(handleRpc, request, response).catch(() => response.destroy())
  })
}

/** A port for WebSockets only. */
export const createSocketServer = (): Server =>
  createServer(LIMITS, (_request, response) => respond(response, 426))

async function handleHttp(
  handleRpc: RpcHandler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { origin } = request.headers
  // The host must be local too: a foreign name that resolves to this machine would make its pages look local.
  const isLocalHost = isLocalOrigin(`http://${request.headers.host ?? ''}`)
  if (!isLocalOrigin(origin) || !isLocalHost) return respond(response, 403)
  if (origin !== undefined)
    response
      .setHeader('access-control-allow-origin', origin)
      .setHeader('access-control-allow-headers', 'content-type, solana-client')
      .setHeader('access-control-allow-private-network', 'true')
      .setHeader('access-control-max-age', '600')
      .setHeader('vary', 'origin')
  if (request.method === 'OPTIONS') return respond(response, 204)
  if (request.method === 'GET' && request.url === '/health') return respond(response, 200, 'ok')
  if (request.method !== 'POST') return respond(response, 405)
  const body = await readBody(request)
  if (body === null) return respond(response, 413)
  response.setHeader('content-type', 'application/json')
  respond(response, 200, toJson(await handleBody(handleRpc, body)))
}

async function handleBody(handleRpc: RpcHandler, body: string): Promise<unknown> {
  let request: unknown
  try {
    request = JSON.parse(body)
  } catch {
    return { jsonrpc: '2.0', error: { code: PARSE_ERROR, message: 'Parse error' }, id: null }
  }
  if (!Array.isArray(request)) return handleRpc(request)
  if (request.length === 0 || request.length > MAX_BATCH)
    return { jsonrpc: '2.0', error: { code: INVALID_REQUEST, message: 'Invalid request' }, id: null }
  return Promise.all(request.map(handleRpc))
}

/** Null if it is too large. Then the rest is not read. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function respond(response: ServerResponse, status: number, body?: string): void {
  if (status === 413) response.setHeader('connection', 'close')
  response.writeHead(status).end(body)
}
