import { calmRound } from './calm.ts'
import { begin } from './storm.ts'
import type { World } from './world.ts'

const FEWEST_ROUNDS = 3
const MOST_ROUNDS = 6

/**
 * All processes start. In some worlds the weather is fair for a while, so that the storm finds lanes that are ready and
 * money on its way everywhere; in the others it finds everybody coming up.
 */
export async function startAll(world: World): Promise<void> {
  for (const slot of world.slots) world.start(slot)
  await world.calls.settle()
  if (!world.weather.fairStart) return
  const rounds = world.random.between(FEWEST_ROUNDS, MOST_ROUNDS)
  for (let round = 0; round < rounds; round++) {
    for (const player of world.players) if (!player.busy) begin(world, player)
    await world.calls.settle()
    await calmRound(world)
  }
  world.steps = 0
  world.tell('the storm begins')
}
