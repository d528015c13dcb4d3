import { destination, pino, type Logger } from 'pino'
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
  return pino({ level, base: { role }, redact: redactedPaths }, destination({ fd: 2, sync: true }))
}
