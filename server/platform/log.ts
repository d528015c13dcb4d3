import { destination, pino, type Logger } from 'pino'
import type { LogLevel } from './config.ts'

export type Log = Logger

// Whoever reads the log must not be able to play as the player.
const redactedPaths = [
  'req.headers.authorization',
  'req.headers["x-auth-token"]',
  'req.headers.cookie',
  '*.token',
  '*.password',
  '*.signature',
]

/** JSON lines on the standard error output; standard output belongs to the sentences for the person at the terminal. */
export function makeLog({ role, level }: { role: string; level: LogLevel }): Log {
  return pino({ level, base: { role }, redact: redactedPaths }, destination({ fd: 2, sync: true }))
}
