import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock, type Clock } from '#server/platform/clock.ts'
import { errorCode, StartupError } from '#server/platform/startup-error.ts'
import type { Address } from '#server/chain/port.ts'
import { LocalLedger } from './local-ledger.ts'
import { createRpcMethods } from './rpc-methods.ts'
import {
  createRpcHandler,
  createRpcServer,
  createSocketServer,
  type RpcHandler,
  type Log,
} from './rpc-server.ts'
import { serveSubscriptions } from './subscriptions.ts'
import { openTestToken } from './test-token.ts'

const SLOT_MS = 400
const FINAL_DEPTH = 5
/** Blocks after the last request until the chain pauses: more than the lifetime of a blockhash. */
const IDLE_BLOCKS = 200

export type LocalChain = { url: string; mint: Address; stop(): Promise<void> }

/**
 * Runs the local chain in this process and serves it on 127.0.0.1: HTTP and WebSocket on one port, and the WebSocket also
 * on the next port, where Solana's tools expect it. Port 0 picks a free port and has no next one. If another program uses
 * the next port, a warning is logged.
 * A transaction is finalized `finalDepth` blocks of `slotMs` later. No blocks are produced while there are no requests.
 * Rejects with `StartupError` if another chain runs on the same folder.
 */
export async function startLocalChain(of: {
  dir: string
  port: number
  log?: Log
  slotMs?: number
  finalDepth?: number
  clock?: Clock
}): Promise<LocalChain> {
  const { slotMs = SLOT_MS, finalDepth = FINAL_DEPTH, clock = systemClock, log = () => {} } = of
  const ledger = new LocalLedger({ dir: of.dir, finalDepth, clock })
  const token = await openTestToken(ledger)
  // The mint is finalized before the first request can read it.
  while (ledger.isSettling) ledger.nextBlock()
  let blocksUntilIdle = IDLE_BLOCKS
  const handleRequest = createRpcHandler(ledger, createRpcMethods(ledger, token), log)
  const handleRpc: RpcHandler = (request) => {
    blocksUntilIdle = IDLE_BLOCKS
    return handleRequest(request)
  }
  const server = createRpcServer(handleRpc)
  const sockets = createSocketServer()
  try {
    await listen(server, of.port)
    if (of.port !== 0) await listenOnSocketPort(sockets, of.port + 1, log)
  } catch (error) {
    server.close()
    ledger.close()
    throw error
  }
  const subscriptions = serveSubscriptions([server, sockets], ledger, handleRpc)
  const timer = setInterval(() => {
    if (blocksUntilIdle <= 0 && subscriptions.size === 0 && !ledger.isSettling) return
    blocksUntilIdle--
    ledger.nextBlock()
  }, slotMs)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    mint: token.mint,
    stop: async () => {
      clearInterval(timer)
      subscriptions.close()
      await Promise.all([server, sockets].map(close))
      ledger.close()
    },
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const taken = `Port ${port} is in use: stop what uses it, or choose another CHAIN_RPC_PORT.`
      reject(errorCode(error) === 'EADDRINUSE' ? new StartupError(taken, { cause: error }) : error)
    })
    server.listen(port, '127.0.0.1', resolve)
  })
}

async function listenOnSocketPort(server: Server, port: number, log: Log): Promise<void> {
  try {
    await listen(server, port)
  } catch (error) {
    const reason = errorCode((error as Error).cause ?? error)
    log(
      `The WebSocket of the local chain is on its RPC port only: port ${port}, where Solana's tools look for it, cannot be used`,
      { reason },
    )
  }
}

function close(server: Server): Promise<void> {
  // It rejects if the server never listened, which counts as closed.
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  return closed
}
