import { destination, type DestinationStream, pino, type Logger } from 'pino'
import type { LogLevel } from './config.ts'

export type Log = Logger

// A reader of the log must not be able to act as a player.
const redactedPaths = [
  'req.headers.authorization',
  'req.headers["x-auth-token"]',
  'req.headers.cookie',
  '*.token',
  '*.password',
  '*.signature',
]

/** Logs JSON lines to standard error. Standard output is for messages to the person at the terminal. */
export function makeLog({ role, level }: { role: string; level: LogLevel }): Log {
  return pino({ level, base: { role }, redact: redactedPaths }, openStandardError())
}

/**
 * Loses the lines that cannot be written, such as those of a log file on a full disk. An error that nobody listens for would
 * end the process, and that of the supervisor all roles.
 */
function openStandardError(): DestinationStream {
  const open = (): DestinationStream => {
    const stream = destination({ fd: 2, sync: true })
    // It would store all further lines until it can write again.
    stream.on('error', () => {
      current = open()
    })
    return stream
  }
  let current = open()
  return { write: (line) => current.write(line) }
}
