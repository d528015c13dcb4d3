import { AsyncLocalStorage } from 'node:async_hooks'
import type { Connection } from './connection.ts'
import type { SimulatedWorld } from './simulated-world.ts'

export type Role = 'api' | 'watcher' | 'signer' | 'player'

/** One simulated process: everything that runs in it knows it, and when it dies nothing of it ever goes on. */
export type SimulatedProcess = {
  readonly name: string
  readonly role: Role
  readonly world: SimulatedWorld
  alive: boolean
  readonly connections: Set<Connection>
  /** What a process keeps in its memory, and loses when it dies. */
  readonly memory: Map<string, unknown>
  /** Rejects when the process dies: what those see who wait for its answer. */
  readonly death: Promise<never>
  die(): void
}

/** The process in which the running code runs; nothing in the simulation's own code. */
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

/** The simulated process around the running code; only the product's code may ask. */
export function currentProcess(): SimulatedProcess {
  const process = processContext.getStore()
  if (process === undefined) throw new Error('this runs in no simulated process')
  return process
}
