import { decideEverything } from './operators.ts'
import { runQuiescentRound } from './quiesce.ts'
import { startPlayerAction } from './run-fault-phase.ts'
import type { SimulatedWorld } from './simulated-world.ts'

const MIN_ROUNDS = 3
const MAX_ROUNDS = 6

/**
 * Starts all processes. Some worlds run without faults for a while first, so that the fault phase begins with prepared
 * lanes and payouts in flight. In the others it begins while the processes start.
 */
export async function startWorld(world: SimulatedWorld): Promise<void> {
  for (const slot of world.processSlots) world.start(slot)
  await world.calls.waitUntilIdle()
  if (!world.faultProfile.warmStart) return
  const rounds = world.random.between(MIN_ROUNDS, MAX_ROUNDS)
  for (let round = 0; round < rounds; round++) {
    for (const player of world.players) if (!player.busy) startPlayerAction(world, player)
    await world.calls.waitUntilIdle()
    if (world.random.chance(0.6)) await decideEverything(world)
    await runQuiescentRound(world)
  }
  world.steps = 0
  world.record('the fault phase begins')
}
