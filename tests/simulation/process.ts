import { AsyncLocalStorage } from 'node:async_hooks'
import type { Connection } from './connection.ts'
import type { SimulatedWorld } from './simulated-world.ts'

export type Role = 'api' | 'watcher' | 'reserve' | 'signer' | 'player' | 'operator'

/** A simulated process. All code that runs in it can look it up, and none of that code continues after it dies. */
export type SimulatedProcess = {
  readonly name: string
  readonly role: Role
  readonly world: SimulatedWorld
  alive: boolean
  readonly connections: Set<Connection>
  /** State in memory, which is lost when the process dies. */
  readonly memory: Map<string, unknown>
  /** Rejects when the process dies, as a caller that waits for its response would notice. */
  readonly death: Promise<never>
  die(): void
}

/** The process of the running code; undefined in the simulation's own code. */
export const processContext = new AsyncLocalStorage<SimulatedProcess>()

export class Died extends Error {
  override readonly name = 'Died'
}

export function startProcess(world: SimulatedWorld, name: string, role: Role): SimulatedProcess {
  const { promise: death, reject } = Promise.withResolvers<never>()
  death.catch(() => {})
  const process: SimulatedProcess = {
    name,
    role,
    world,
    alive: true,
    connections: new Set(),
    memory: new Map(),
    death,
    die() {
      process.alive = false
      reject(new Died(`${name} died`))
    },
  }
  return process
}

/** The process of the running code. Only the product's code may call this. */
export function currentProcess(): SimulatedProcess {
  const process = processContext.getStore()
  if (process === undefined) throw new Error('this code runs outside of a simulated process')
  return process
}
