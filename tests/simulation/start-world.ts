import { runQuiescentRound } from './quiesce.ts'
import { startPlayerAction } from './run-fault-phase.ts'
import type { SimulatedWorld } from './simulated-world.ts'

const MIN_ROUNDS = 3
const MAX_ROUNDS = 6

/**
 * All processes start. In some worlds the weather is fair for a while, so that the storm finds lanes that are ready and
 * money on its way everywhere; in the others it finds everybody coming up.
 */
export async function startWorld(world: SimulatedWorld): Promise<void> {
  for (const slot of world.processSlots) world.start(slot)
  await world.calls.waitUntilIdle()
  if (!world.faultProfile.warmStart) return
  const rounds = world.random.between(MIN_ROUNDS, MAX_ROUNDS)
  for (let round = 0; round < rounds; round++) {
    for (const player of world.players) if (!player.busy) startPlayerAction(world, player)
    await world.calls.waitUntilIdle()
    await runQuiescentRound(world)
  }
  world.steps = 0
  world.record('the fault phase begins')
}
