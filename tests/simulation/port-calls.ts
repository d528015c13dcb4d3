import { hasThreadWork } from './replace-globals.ts'
import type { SimulatedProcess } from './process.ts'

/** Delivers the result to the caller: it settles the promise of the call. */
export type Delivery = () => void

/** A pending call of a process over one of its ports. A process can be stopped only at such a call. */
export type PortCall = {
  readonly number: number
  /** How many calls had been performed when this one was made. */
  readonly round: number
  readonly process: SimulatedProcess
  readonly port: 'database' | 'chain' | 'pause'
  /** The name of the statement, method or pause. */
  readonly name: string
  /** The faults that it can have. */
  readonly faults: readonly string[]
  /** False while another connection's transaction is open. */
  ready(): boolean
  /** Does the work, correctly or with one of the faults. Returns the function that delivers the result. */
  perform(fault: string | null): Promise<Delivery>
}

export type CallRequest<T> = Pick<PortCall, 'port' | 'name'> & {
  faults?: readonly string[]
  ready?: () => boolean
  perform(fault: string | null): Promise<T> | T
}

const NEVER = new Promise<never>(() => {})

const compareCalls = (a: PortCall, b: PortCall): number =>
  a.round - b.round || a.process.name.localeCompare(b.process.name) || a.number - b.number

/** The pending calls. No call proceeds by itself: the world picks the next one, so a seed determines the history. */
export class PortCalls {
  readonly waiting: PortCall[] = []
  #callCount = 0
  #performedCount = 0

  enqueue<T>(process: SimulatedProcess, request: CallRequest<T>): Promise<T> {
    if (!process.alive) return NEVER
    this.#callCount++
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.waiting.push({
      number: this.#callCount,
      round: this.#performedCount,
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
    // Which of several processes reaches its next call first may depend on what is cached, so it does not count.
    this.waiting.sort(compareCalls)
    return promise
  }

  /** Removes a call from the queue, to be performed now. */
  dequeue(call: PortCall): void {
    this.#performedCount++
    this.waiting.splice(this.waiting.indexOf(call), 1)
  }

  removeCallsOf(process: SimulatedProcess): void {
    const remaining = this.waiting.filter((call) => call.process !== process)
    this.waiting.splice(0, this.waiting.length, ...remaining)
  }

  /** Resolves when every process has reached its next calls. */
  async waitUntilIdle(): Promise<void> {
    for (let quiet = 0; quiet < 2;) {
      const before = this.#callCount
      await new Promise((resolve) => setImmediate(resolve))
      quiet = this.#callCount === before && !hasThreadWork() ? quiet + 1 : 0
    }
  }
}
