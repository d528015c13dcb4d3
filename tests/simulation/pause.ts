export { setImmediate } from 'node:timers/promises'
import { currentProcess } from './process.ts'

/** Replaces `node:timers/promises` in the server's code. The world decides how long a wait takes. */
export function setTimeout(): Promise<void> {
  const process = currentProcess()
  return process.world.pause(process, 'wait')
}
