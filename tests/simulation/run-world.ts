import { comeToRest, settleAccounts } from './calm.ts'
import type { Coverage } from './coverage.ts'
import { startAll } from './fair-start.ts'
import type { Ground } from './ground.ts'
import { Violation } from './laws.ts'
import type { Product } from './load-product.ts'
import { storm } from './storm.ts'
import { World } from './world.ts'

export type Outcome = {
  seed: number
  steps: number
  hash: string
  violation: Violation | null
  trace: readonly string[]
}

/** Lets one world run: a storm of faults, then calm, in which everything has to come to its end. */
export async function runWorld(of: {
  seed: number
  ground: Ground
  product: Product
  coverage: Coverage
}): Promise<Outcome> {
  await of.ground.reset()
  const world = new World(of)
  const outcome = (violation: Violation | null): Outcome => ({
    seed: of.seed,
    steps: world.steps,
    hash: world.hash,
    violation,
    trace: world.trace,
  })
  try {
    await world.look()
    await startAll(world)
    await storm(world)
    await comeToRest(world)
    await settleAccounts(world)
    return outcome(null)
  } catch (error) {
    if (!(error instanceof Violation)) throw error
    world.tell(`violated: ${error.message}`)
    return outcome(error)
  } finally {
    for (const slot of world.slots) await world.crash(slot)
  }
}
