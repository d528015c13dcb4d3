import { uuidOf } from './replace-globals.ts'
import { currentProcess } from './process.ts'

/** Replaces `uuid` in the server's code, because real ids contain the host's time. */
export function v7(): string {
  return uuidOf(Buffer.from(currentProcess().world.random.bytes(16)))
}
