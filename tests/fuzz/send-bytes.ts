import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RawCase } from './raw-requests.ts'

export type RawOutcome = {
  /** Each character is one byte. */
  received: string
  /** Whether the server has closed the connection. */
  closed: boolean
}

/** So long without another byte, and an answer counts as complete. */
const QUIET_MS = 25

type Sending = {
  url: string
  limitMs: number
  /** Whether everything that is to come has come. */
  isComplete(received: string): boolean
}

/**
 * Sends bytes over a connection of their own, until the server closes it or this time is over. A client that stays closes
 * its side once it has an answer.
 */
export async function sendBytes(
  { bytes, cuts, ending }: RawCase,
  { url, limitMs, isComplete }: Sending,
): Promise<RawOutcome> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true })
  const done = Promise.withResolvers<RawOutcome>()
  let received = ''
  let quiet: NodeJS.Timeout | undefined
  const finish = (closed: boolean): void => {
    clearTimeout(timer)
    clearTimeout(quiet)
    socket.destroy()
    done.resolve({ received, closed })
  }
  const timer = setTimeout(() => finish(false), limitMs)
  socket.on('data', (data: Buffer) => {
    received += data.toString('latin1')
    clearTimeout(quiet)
    if (ending === 'stay' && isComplete(received)) quiet = setTimeout(() => socket.end(), QUIET_MS)
  })
  socket.on('end', () => finish(true))
  socket.on('close', () => finish(true))
  // The server may close while bytes are on their way.
  socket.on('error', () => {})
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  for (const [at, from] of places.slice(0, -1).entries()) {
    if (socket.destroyed) break
    socket.write(bytes.slice(from, places[at + 1]), 'latin1')
    await nextTurn()
  }
  if (ending === 'end' && !socket.destroyed) socket.end()
  if (ending === 'reset') socket.resetAndDestroy()
  return done.promise
}
