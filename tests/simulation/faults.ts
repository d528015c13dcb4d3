import type { Role } from './process.ts'
import type { Random } from './random.ts'

/** How likely each thing is in one world. No world has all of them: what is rare in a storm is common in calm. */
export type Weather = {
  /** How many steps the storm lasts. */
  steps: number
  /** Of a call over a port that it goes wrong, by the port. */
  database: number
  chain: number
  /** Of a process, at one of its calls, that it dies there. */
  crash: Record<Role, number>
  /** Kinds of faults that this world knows. */
  kinds: ReadonlySet<string>
  forks: number
  nodes: number
  jumps: number
  drains: number
  /** How often one node lies: of deposits, of what has landed and of how far it is. */
  liar: number
  /** Behind the name of a node stand several machines, and some of them are far behind. */
  pooled: boolean
  /** Everybody is up and at work when the storm begins. */
  fairStart: boolean
  /** Of what is sent, mostly no answer comes back. */
  deaf: boolean
  /** What is sent mostly lands late, some of it too late. */
  slow: boolean
  echoes: number
  restores: boolean
  /** Two api processes and two watchers, instead of one of each. */
  twoOfAll: boolean
}

/** What may go wrong with a call over a port. */
const KINDS = [
  'refused',
  'broken',
  'answer lost',
  'conflict',
  'commit lost',
  'commit done, answer lost',
  'unreachable',
  'unhealthy',
  'send dropped',
  'send doubled',
  'lands late',
  'null statuses',
  'short page',
  'lie',
]

/** Everything that goes wrong in some world: calls, and what happens around them. */
export const FAULTS = [
  ...KINDS,
  'crash',
  'fork',
  'node behind',
  'newer and older by turns',
  'clock forward',
  'clock back',
  'treasury drained',
  'late echo',
  'backup restored',
]

/** The weather of a world, drawn from its own chance. */
export function weatherOf(random: Random): Weather {
  const some = (most: number): number => (random.chance(0.75) ? random.share() * most : 0)
  const crash = some(0.015)
  return {
    steps: random.chance(0.15) ? 1_800 : 600,
    database: some(0.04),
    chain: random.chance(0.2) ? 0.3 : some(0.1),
    crash: { api: crash, watcher: crash, player: crash, signer: random.chance(0.25) ? 0.02 : crash },
    kinds: new Set(KINDS.filter(() => random.chance(0.7))),
    forks: some(3),
    nodes: some(4),
    jumps: some(1.5),
    drains: random.chance(0.3) ? 0.5 : 0,
    liar: random.weighted([
      { weight: 6, value: 0 },
      { weight: 2, value: 0.5 },
      { weight: 2, value: 0.95 },
    ]),
    pooled: random.chance(0.4),
    fairStart: random.chance(0.6),
    deaf: random.chance(0.3),
    slow: random.chance(0.3),
    echoes: some(1),
    restores: random.chance(0.3),
    twoOfAll: random.chance(0.5),
  }
}
