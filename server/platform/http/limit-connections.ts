import type { Server } from 'node:http'
import { CountByName } from '#server/platform/count-by-name.ts'
import { readFileLimit } from '#server/platform/read-file-limit.ts'
import { callerKeyOf } from './caller-address.ts'

/** How many WebSockets one process holds, and how many of them for one caller. */
export type SocketLimits = { maxSockets: number; maxSocketsPerCaller: number }

const MAX_SOCKETS = 20_000

// A household or an office plays from one address, with a socket for each window.
const MAX_SOCKETS_PER_CALLER = 50

// A browser opens six connections beside its socket.
const MAX_CONNECTIONS_PER_CALLER = 500

/** Without limits, for load tests: as many from one caller as there may be at all. */
export const UNLIMITED: SocketLimits = { maxSockets: MAX_SOCKETS, maxSocketsPerCaller: MAX_SOCKETS }

/** WebSockets take at most half of the files that the process may open. */
export function socketLimits(fileLimit = readFileLimit()): SocketLimits {
  return {
    maxSockets: Math.min(MAX_SOCKETS, Math.floor(fileLimit / 2)),
    maxSocketsPerCaller: MAX_SOCKETS_PER_CALLER,
  }
}

/**
 * All connections take at most three quarters of the files that the process may open: beside the sockets a quarter is
 * for calls, and the last one for the database and for files. Where callers connect without a proxy, each of them has a
 * bound of its own.
 */
export function limitConnections(
  server: Server,
  { direct, fileLimit = readFileLimit() }: { direct: boolean; fileLimit?: number },
): void {
  const maxConnections = Math.floor((fileLimit * 3) / 4)
  const maxPerCaller = direct ? Math.min(MAX_CONNECTIONS_PER_CALLER, Math.floor(fileLimit / 4)) : Infinity
  let all = 0
  const open = new CountByName()
  // `maxConnections` would count those of one address that the server listens on.
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
