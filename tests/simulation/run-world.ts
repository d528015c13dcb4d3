import { quiesce, checkFinalState } from './quiesce.ts'
import type { Coverage } from './coverage.ts'
import { startWorld } from './start-world.ts'
import type { SimulationEnvironment } from './simulation-environment.ts'
import type { Product } from './load-product.ts'
import { runFaultPhase } from './run-fault-phase.ts'
import { SimulatedWorld } from './simulated-world.ts'
import { Violation } from './violation.ts'

export type Outcome = {
  seed: number
  steps: number
  hash: string
  violation: Violation | null
  trace: readonly string[]
}

/** Runs one world: a phase with faults, then quiescence, in which everything must complete. */
export async function runWorld(options: {
  seed: number
  environment: SimulationEnvironment
  product: Product
  coverage: Coverage
}): Promise<Outcome> {
  await options.environment.reset()
  const world = new SimulatedWorld(options)
  const outcome = (violation: Violation | null): Outcome => ({
    seed: options.seed,
    steps: world.steps,
    hash: world.hash,
    violation,
    trace: world.trace,
  })
  try {
    await world.checkInvariants()
    await startWorld(world)
    await runFaultPhase(world)
    await quiesce(world)
    await checkFinalState(world)
    return outcome(null)
  } catch (error) {
    if (!(error instanceof Violation))
      throw new Error(`The code failed in the world of seed ${options.seed}.`, { cause: error })
    world.record(`violated: ${error.message}`)
    return outcome(error)
  } finally {
    for (const slot of world.processSlots) await world.crash(slot)
  }
}
