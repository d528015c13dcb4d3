import { LIES } from './chain-node.ts'
import type { FaultProfile } from './fault-profile.ts'
import { decideEverything } from './operators.ts'
import type { PortCall } from './port-calls.ts'
import { runQuiescentRound } from './quiesce.ts'
import { startPlayerAction } from './run-fault-phase.ts'
import type { SimulatedWorld } from './simulated-world.ts'

const MIN_ROUNDS = 3
const MAX_ROUNDS = 6
/** It takes so many more until sweeps were lost and asked for. */
const ROUNDS_WITH_LOSSES = 4

/**
 * Starts all processes. Some worlds run for a while first, so that the fault phase begins with prepared lanes and payouts in
 * flight. In the others it begins while the processes start.
 */
export async function startWorld(world: SimulatedWorld): Promise<void> {
  for (const slot of world.processSlots) world.start(slot)
  await world.calls.waitUntilIdle()
  if (!world.faultProfile.warmStart) return
  const more = losesEarly(world.faultProfile) ? ROUNDS_WITH_LOSSES : 0
  const rounds = world.random.between(MIN_ROUNDS, MAX_ROUNDS) + more
  for (let round = 0; round < rounds; round++) {
    for (const player of world.players) if (!player.busy) startPlayerAction(world, player)
    await world.calls.waitUntilIdle()
    if (world.random.chance(0.6)) await decideEverything(world)
    await runQuiescentRound(world, (call) => chooseEarlyFault(world, call))
  }
  world.steps = 0
  world.record('the fault phase begins')
}

/**
 * Before the fault phase everything works, except that in worlds with lies half of what the signer sends may be lost, and a
 * node lies about its height: among other faults the signer would hardly ever ask whether a lost sweep can still land.
 */
function chooseEarlyFault({ random, faultProfile }: SimulatedWorld, call: PortCall): string | null {
  if (call.process.role !== 'signer' || !losesEarly(faultProfile)) return null
  if (call.name === 'sendTransaction') return random.chance(0.5) ? 'send dropped' : null
  if (call.name !== 'getBlockHeight') return null
  const lie = LIES.find((each) => call.faults.includes(each))
  return lie !== undefined && random.chance(faultProfile.lieProbability) ? lie : null
}

const losesEarly = ({ lieProbability, faultKinds }: FaultProfile): boolean =>
  lieProbability > 0 && faultKinds.has('send dropped')
