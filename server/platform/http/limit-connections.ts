import type { Server } from 'node:http'
import { CountByName } from '#server/platform/count-by-name.ts'
import { readFileLimit } from '#server/platform/read-file-limit.ts'
import { callerKeyOf } from './caller-address.ts'

/** How many WebSockets a process accepts, in total and from one caller. */
export type SocketLimits = { maxSockets: number; maxSocketsPerCaller: number }

const MAX_SOCKETS = 20_000

// A household or an office plays from one address, with a socket for each window.
const MAX_SOCKETS_PER_CALLER = 50

// A browser opens six connections in addition to its WebSocket. The samples of HAProxy have the same number.
export const MAX_CONNECTIONS_PER_CALLER = 500

/** For load tests: one caller may use the total. */
export const UNLIMITED: SocketLimits = { maxSockets: MAX_SOCKETS, maxSocketsPerCaller: MAX_SOCKETS }

/** WebSockets use at most half of the process's file descriptors. */
export function socketLimits(fileLimit = readFileLimit()): SocketLimits {
  return {
    maxSockets: Math.min(MAX_SOCKETS, Math.floor(fileLimit / 2)),
    maxSocketsPerCaller: MAX_SOCKETS_PER_CALLER,
  }
}

/**
 * All connections use at most three quarters of the process's file descriptors: half for WebSockets, a quarter for
 * requests. The last quarter is left for the database and files. Without a proxy, each caller also has a limit.
 */
export function limitConnections(
  server: Server,
  { direct, fileLimit = readFileLimit() }: { direct: boolean; fileLimit?: number },
): void {
  const maxConnections = Math.floor((fileLimit * 3) / 4)
  const maxPerCaller = direct ? Math.min(MAX_CONNECTIONS_PER_CALLER, Math.floor(fileLimit / 4)) : Infinity
  let all = 0
  const open = new CountByName()
  // `maxConnections` would count the connections of one listening address only.
  server.on('connection', (socket) => {
    const caller = callerKeyOf(socket.remoteAddress ?? '')
    if (all >= maxConnections || open.countOf(caller) >= maxPerCaller) {
      socket.destroy()
      return
    }
    all += 1
    open.add(caller)
    socket.once('close', () => {
      all -= 1
      open.remove(caller)
    })
  })
}
