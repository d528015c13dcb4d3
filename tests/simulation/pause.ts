export { setImmediate } from 'node:timers/promises'
import { currentProcess } from './process.ts'

/** Stands where the server's code waits by `node:timers/promises`: how long it takes, the world decides. */
export function setTimeout(): Promise<void> {
  const process = currentProcess()
  return process.world.pause(process, 'wait')
}
