import type { Server } from 'node:http'
import { CountByName } from '#server/platform/count-by-name.ts'
import { readFileLimit } from '#server/platform/read-file-limit.ts'
import { groupOf } from './caller-address.ts'

/** How many WebSockets one process holds, and how many of them for one caller. */
export type SocketLimits = { most: number; mostOfOne: number }

const MOST_SOCKETS = 20_000

// A household or an office plays from one address, with a socket for each window.
const MOST_SOCKETS_OF_ONE = 50

// A browser opens six connections beside its socket.
const MOST_CONNECTIONS_OF_ONE = 500

/** Without limits, for load tests: as many from one caller as there may be at all. */
export const UNLIMITED: SocketLimits = { most: MOST_SOCKETS, mostOfOne: MOST_SOCKETS }

/** WebSockets take at most half of the files that the process may open. */
export function socketLimits(files = readFileLimit()): SocketLimits {
  return { most: Math.min(MOST_SOCKETS, Math.floor(files / 2)), mostOfOne: MOST_SOCKETS_OF_ONE }
}

/**
 * All connections take at most three quarters of the files that the process may open: beside the sockets a quarter is
 * for calls, and the last one for the database and for files. Where callers connect without a proxy, each of them has a
 * bound of its own.
 */
export function limitConnections(
  server: Server,
  { direct, files = readFileLimit() }: { direct: boolean; files?: number },
): void {
  const most = Math.floor((files * 3) / 4)
  if (Number.isFinite(most)) server.maxConnections = most
  if (!direct) return
  const mostOfOne = Math.min(MOST_CONNECTIONS_OF_ONE, Math.floor(files / 4))
  const open = new CountByName()
  server.on('connection', (socket) => {
    const caller = groupOf(socket.remoteAddress ?? '')
    if (open.of(caller) >= mostOfOne) {
      socket.destroy()
      return
    }
    open.add(caller)
    socket.once('close', () => open.remove(caller))
  })
}
