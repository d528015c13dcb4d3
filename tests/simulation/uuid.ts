import { uuidOf } from './replace-globals.ts'
import { currentProcess } from './process.ts'

/** Stands where the server's code asks `uuid`, whose ids would carry the host's time from one world to the next. */
export function v7(): string {
  return uuidOf(Buffer.from(currentProcess().world.random.bytes(16)))
}
