import { hasThreadWork } from './replace-globals.ts'
import type { SimulatedProcess } from './process.ts'

/** How an answer reaches who asked: it settles the promise of the call. */
export type Delivery = () => void

/** One call of a process over one of its ports, waiting to go on: the only places where a process can be stopped. */
export type PortCall = {
  readonly number: number
  readonly process: SimulatedProcess
  readonly port: 'database' | 'chain' | 'pause'
  /** The statement, the method, or what is waited for. */
  readonly name: string
  /** What may go wrong with it. */
  readonly faults: readonly string[]
  /** False while another's transaction keeps it waiting. */
  ready(): boolean
  /** Does the work, rightly or with one of the faults, and gives the delivery of the answer. */
  perform(fault: string | null): Promise<Delivery>
}

export type CallRequest<T> = Pick<PortCall, 'port' | 'name'> & {
  faults?: readonly string[]
  ready?: () => boolean
  perform(fault: string | null): Promise<T> | T
}

const NEVER = new Promise<never>(() => {})

/** The calls that wait. Nothing goes on by itself: the world picks which one does, so one seed is one history. */
export class PortCalls {
  readonly waiting: PortCall[] = []
  #callCount = 0

  enqueue<T>(process: SimulatedProcess, request: CallRequest<T>): Promise<T> {
    if (!process.alive) return NEVER
    this.#callCount++
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.waiting.push({
      number: this.#callCount,
      process,
      port: request.port,
      name: request.name,
      faults: request.faults ?? [],
      ready: request.ready ?? (() => true),
      async perform(fault) {
        try {
          const answer = await request.perform(fault)
          return () => resolve(answer)
        } catch (error) {
          return () => reject(error as Error)
        }
      },
    })
    return promise
  }

  /** Takes a call out of the row, to be performed now. */
  dequeue(call: PortCall): void {
    this.waiting.splice(this.waiting.indexOf(call), 1)
  }

  removeCallsOf(process: SimulatedProcess): void {
    const remaining = this.waiting.filter((call) => call.process !== process)
    this.waiting.splice(0, this.waiting.length, ...remaining)
  }

  /** Resolves when every process has run on to its next calls. */
  async waitUntilIdle(): Promise<void> {
    for (let quiet = 0; quiet < 2;) {
      const before = this.#callCount
      await new Promise((resolve) => setImmediate(resolve))
      quiet = this.#callCount === before && !hasThreadWork() ? quiet + 1 : 0
    }
  }
}
